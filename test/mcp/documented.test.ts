/** The table of tools in `docs/mcp.md` is that of the code. */
import { expect, test } from '@jest/globals';
import { readTools } from '../../src/features/mcp/tools/read.ts';
import { writeTools } from '../../src/features/mcp/tools/write.ts';
import { rowsOf } from '../docs/tables.ts';

test('the guide has each tool with its arguments', () => {
  const documented = rowsOf('docs/mcp.md', 'Tool', 'Arguments').map(([name, given]) => [name, given]);
  const expected = [...readTools, ...writeTools].map((tool) => [
    `\`${tool.name}\``,
    tool.arguments.map(({ name }) => `\`${name}\``).join(', '),
  ]);
  expect(documented).toEqual(expected);
});
