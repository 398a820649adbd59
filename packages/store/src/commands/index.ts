/** The command table. */
import { aggregate } from './aggregate.ts';
import { authenticationCommands } from './authentication.ts';
import { collMod } from './coll-mod.ts';
import { collectionCommands } from './collections.ts';
import type { Command } from './context.ts';
import { countCommands } from './count.ts';
import { remove } from './delete.ts';
import { explain } from './explain.ts';
import { find } from './find.ts';
import { findAndModify } from './find-and-modify.ts';
import { cursorCommands } from './get-more.ts';
import { helloCommands } from './hello.ts';
import { indexCommands } from './indexes.ts';
import { insert } from './insert.ts';
import { operationCommands } from './operations.ts';
import { serverStateCommands } from './server-state.ts';
import { sessionCommands } from './sessions.ts';
import { statsCommands } from './stats.ts';
import { update } from './update.ts';
import { validate } from './validate.ts';

/** All commands. */
export const commands: readonly Command[] = [
  find,
  ...cursorCommands,
  aggregate,
  ...countCommands,
  insert,
  update,
  remove,
  findAndModify,
  ...indexCommands,
  ...collectionCommands,
  collMod,
  ...statsCommands,
  validate,
  ...sessionCommands,
  ...operationCommands,
  explain,
  ...helloCommands,
  ...authenticationCommands,
  ...serverStateCommands(() => commands),
];

const byName: ReadonlyMap<string, Command> = new Map(
  commands.flatMap((command) => [command.name, ...(command.aliases ?? [])].map((name) => [name, command] as const)),
);

/** The command with a name or alias. */
export const commandNamed = (name: string): Command | undefined => byName.get(name);
