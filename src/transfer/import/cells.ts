/** Reads the cells of CSV as people's programs write them: by the types of their paths. */
import { badValue } from '../../errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { typeAt } from '../../models/fields/path-type.ts';
import type { Row } from '../../models/mongoose.ts';
import type { Cells } from '../csv.ts';
import { parseValue } from '../extended-json.ts';

/** The values of cells. Those of lists, maps and objects are JSON; the schema casts all others. @throws 400 naming the path */
export const valuesOf = (cells: Cells, { schema }: Pick<ModelEntry, 'schema'>): Row =>
  Object.fromEntries(
    Object.entries(cells).map(([path, cell]) => {
      const type = typeAt(schema, path);
      if (type.kind === 'leaf' && !type.array) return [path, type.field.type?.readCell?.(path, cell) ?? cell];
      return [path, /^[[{]/.test(cell) ? jsonCell(path, cell) : cell];
    }),
  );

function jsonCell(path: string, cell: string): unknown {
  try {
    return parseValue(cell);
  } catch (error) {
    throw badValue(path, 'JSON', error instanceof Error ? error.message : String(error));
  }
}
