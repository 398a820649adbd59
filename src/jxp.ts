/**
 * A preload for model files that were written for JXP. Use: `NODE_OPTIONS='--import dossier/jxp' npx dossier`; see
 * docs/migrating.md.
 */
import Module from 'node:module';
import mongoose from 'mongoose';
import { callBack } from './jxp-preload/callbacks.ts';
import { variableFaults } from './jxp-preload/environment.ts';
import { libraryModules } from './jxp-preload/libraries.ts';
import { modelFor, serve } from './jxp-preload/models.ts';
import { optionsAsInJxp, takeWarnings } from './jxp-preload/options.ts';
import { asCaller, callBody, callerOf, isForCaller, parameters, refusesSave, values } from './jxp-preload/requests.ts';
import { JXPSchema, namePerms } from './jxp-preload/schema.ts';
import { setPreload } from './models/preload.ts';

const { ObjectId, Mixed } = mongoose.Schema.Types;
const names = { JXPSchema, ObjectId, Mixed };

/** Replaces the function with which a JXP program starts the server. */
function startedByJxp(): never {
  throw new Error("Dossier starts the server itself: NODE_OPTIONS='--import dossier/jxp' npx dossier");
}

const modules: Readonly<Record<string, unknown>> = {
  jxp: Object.assign(startedByJxp, names),
  'jxp/globals': names,
  ...libraryModules,
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
namePerms();
mongoose.set('autoCreate', false);
mongoose.set('autoIndex', false);
Object.assign(mongoose, { model: modelFor });
Object.assign(globalThis, names);
answerRequires({ ...modules, mongoose });
setPreload({
  modules,
  groups: 'usergroups',
  serve: (models) => serve(models, callerOf),
  parameters,
  callBody,
  asCaller,
  isForCaller,
  options: optionsAsInJxp,
  warnings: takeWarnings,
  variableFaults,
  values,
  refusesSave,
});
