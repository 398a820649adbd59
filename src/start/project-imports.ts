/** What files of the project and packages that depend on Mongoose get for the names of this package: the parts of the server that runs. */
import * as core from '../core.ts';
import { definitions } from '../define/index.ts';

export const projectImports = { dossier: definitions, 'dossier/core': core } as const;
