/** `docs/command.md` lists exactly the commands, flags and exit codes of the command. */
import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { makeProgram } from '../../src/cli/program.ts';
import { exitCodes } from '../../src/cli/terminal.ts';
import { warningKinds } from '../../src/models/loading/start-warnings.ts';
import { requests } from '../../src/models/mongoose/middleware-runs.ts';
import { wideRightCodes } from '../../src/policy/wide-rights.ts';
import { rowsOf } from './tables.ts';

const streams = { input: new PassThrough(), output: new PassThrough(), messages: new PassThrough() };
type Command = ReturnType<typeof makeProgram>;
const guide = 'docs/command.md';

/** The commands without subcommands, by their command lines. */
const commandsOf = (command: Command, line = 'dossier'): (readonly [string, Command])[] =>
  command.commands.flatMap((each) => {
    const own = `${line} ${each.name()}`;
    return each.commands.length > 0 ? commandsOf(each, own) : [[own, each] as const];
  });
const commands = commandsOf(makeProgram({ ...streams, onStop: () => undefined }));
const plain = (cell = ''): string => cell.replaceAll('`', '');

test('the guide has each command with its arguments', () => {
  const expected = commands.map(([line, command]) =>
    [
      line,
      ...command.registeredArguments.map((one) => {
        const name = one.variadic ? `${one.name()}...` : one.name();
        return one.required ? `<${name}>` : `[${name}]`;
      }),
    ].join(' '),
  );
  const documented = rowsOf(guide, 'Command', 'What it does').map(([command]) => plain(command));
  expect(documented.sort()).toEqual([...expected, 'dossier help [command]'].sort());
});

test('the guide has each flag', () => {
  const expected = commands.flatMap(([line, command]) =>
    command.options.filter(({ long }) => long !== '--version').map(({ flags }) => `${line} ${flags}`),
  );
  const documented = rowsOf(guide, 'Command', 'Flag').map(([command, flag]) => `${plain(command)} ${plain(flag)}`);
  expect(documented.sort()).toEqual(expected.sort());
});

test('the guide has each exit code', () => {
  const documented = rowsOf(guide, 'Code', 'Meaning').map(([code]) => code);
  expect(documented).toEqual(['0', ...Object.values(exitCodes).map(String), '128 + n']);
});

const namesIn = (cell = ''): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');

test('the guide has the names of the requests that run middleware', () => {
  const documented = rowsOf(guide, 'Name', 'Requests').flatMap(([cell]) => namesIn(cell));
  expect(documented.sort()).toEqual(Object.keys(requests).sort());
});

test('the guide has the kinds of notices', () => {
  const documented = rowsOf(guide, '`kind` of a notice', 'What it is about').flatMap(([cell]) => namesIn(cell));
  expect(documented.sort()).toEqual([...warningKinds, 'index', 'unknown', 'default', 'setting', 'jxp'].sort());
});

test('the guide lists the codes of wide rights', () => {
  const documented = rowsOf(guide, '`code` of a right', 'What it finds').flatMap(([cell]) => namesIn(cell));
  expect(documented).toEqual(wideRightCodes);
});
