/** A server with the models beside this file, a few people, and rows of theirs. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createServer, type DossierServer, type ServerOptions } from '../../src/server.ts';
import type { mongoose } from '../../src/registry/mongoose.ts';

/** What a model file's function is given. */
export interface ModelTools {
  readonly Schema: typeof mongoose.Schema;
  readonly ObjectId: typeof mongoose.Schema.Types.ObjectId;
  readonly Mixed: typeof mongoose.Schema.Types.Mixed;
}
