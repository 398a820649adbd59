/** The command table: everything that a client may ask for. */ import { aggregate } from "./aggregate.js";
import { authenticationCommands } from "./authentication.js";
import { collectionCommands } from "./collections.js";
import { countCommands } from "./count.js";
import { remove } from "./delete.js";
import { explain } from "./explain.js";
import { findAndModify } from "./find-and-modify.js";
import { find } from "./find.js";
import { cursorCommands } from "./get-more.js";
import { helloCommands } from "./hello.js";
import { indexCommands } from "./indexes.js";
import { insert } from "./insert.js";
import { operationCommands } from "./operations.js";
import { sessionCommands } from "./sessions.js";
import { statsCommands } from "./stats.js";
import { update } from "./update.js";
/** All commands. */ export const commands = [
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
    ...statsCommands,
    ...sessionCommands,
    ...operationCommands,
    explain,
    ...helloCommands,
    ...authenticationCommands
];
const byName = new Map(commands.flatMap((command)=>[
        command.name,
        ...command.aliases ?? []
    ].map((name)=>[
            name,
            command
        ])));
/** The command of a name, if there is one. */ export const commandNamed = (name)=>byName.get(name);
