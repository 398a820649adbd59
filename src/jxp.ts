/**
 * A preload for model files that were written for JXP. Use, once built: `node --import ./dist/jxp.js dist/main.js`; see
 * docs/migrating.md.
 */
import Module from 'node:module';
import mongoose from 'mongoose';
import { callBack } from './jxp-preload/callbacks.ts';
import { modelFor, serve } from './jxp-preload/models.ts';
import { asCaller, callBody, callerOf, isForCaller, parameters } from './jxp-preload/requests.ts';
import { JXPSchema } from './jxp-preload/schema.ts';
import { setPreload } from './preload.ts';

const { ObjectId, Mixed } = mongoose.Schema.Types;
const names = { JXPSchema, ObjectId, Mixed };

/** Replaces the function with which a JXP program starts the server. */
function startedByJxp(): never {
  throw new Error('Dossier starts the server itself: node --import ./dist/jxp.js dist/main.js');
}

const modules: Readonly<Record<string, unknown>> = {
  jxp: Object.assign(startedByJxp, names),
  'jxp/globals': names,
  'jxp/libs/schema': Object.assign(JXPSchema, { default: JXPSchema }),
};

/** Gives files that Node loads the same modules, and the server's Mongoose. */
function answerRequires(answers: Readonly<Record<string, unknown>>): void {
  type Load = (this: unknown, request: string, ...given: unknown[]) => unknown;
  const loader = Module as unknown as { _load: Load };
  const { _load: load } = loader;
  loader._load = function (request, ...given) {
    return Object.hasOwn(answers, request) ? answers[request] : load.call(this, request, ...given);
  };
}

callBack();
mongoose.set('autoCreate', false);
mongoose.set('autoIndex', false);
Object.assign(mongoose, { model: modelFor });
Object.assign(globalThis, names);
answerRequires({ ...modules, mongoose });
setPreload({
  modules,
  serve: (models) => serve(models, callerOf),
  parameters,
  callBody,
  asCaller,
  isForCaller,
});
