/** The row rules of models, compiled when the server starts. */
import { Failure } from '../errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import { firstName } from '../models/fields/path-type.ts';
import type { Letter } from '../models/letters.ts';
import { type ModelFaults, modelFileError } from '../models/loading/files.ts';
import { type CompiledRule, compileRule, type OwnDocument } from './row-rules.ts';
import { viewOf } from './view.ts';

interface ModelRules {
  /** By role and letter. */
  readonly rules: ReadonlyMap<string, ReadonlyMap<Letter, CompiledRule>>;
  readonly clock: () => Date;
}

const prepared = new WeakMap<ModelEntry, ModelRules>();
const ownFields = new WeakMap<ModelEntry, ReadonlySet<string>>();

/**
 * Compiles the rules of all models.
 * @param clock gives `$now`
 * @param faults receives those of rules: the file, the role, the letter, and what is wrong
 */
export function prepareRules(models: readonly ModelEntry[], clock: () => Date, faults: ModelFaults): void {
  const user = models.find(({ name }) => name === 'user');
  if (user === undefined) return;
  const named = new Set<string>();
  for (const model of models) {
    const rules = new Map([...model.options.perms.keys()].map((role) => [role, rulesOf(model, role, user, faults)]));
    for (const compiled of rules.values())
      for (const { userPaths } of compiled.values()) for (const path of userPaths) named.add(firstName(path));
    prepared.set(model, { rules, clock });
  }
  ownFields.set(user, named);
}

function rulesOf(
  model: ModelEntry,
  role: string,
  user: ModelEntry,
  faults: ModelFaults,
): ReadonlyMap<Letter, CompiledRule> {
  const rules = new Map<Letter, CompiledRule>();
  for (const [letter, right] of model.options.perms.get(role) ?? []) {
    if (right === 'all') continue;
    try {
      rules.set(letter, compileRule(right.where, viewOf(model.schema), user.schema));
    } catch (error) {
      const reason = error instanceof Failure ? (error.reason ?? error.message) : String(error);
      faults.add(modelFileError(model.file ?? model.name, `perms.${role}.${letter}: ${reason}`, error));
    }
  }
  return rules;
}

/** The rule that a letter of a role carries; undefined where it carries none. */
export const ruleOf = (model: ModelEntry, role: string, letter: Letter): CompiledRule | undefined =>
  prepared.get(model)?.rules.get(role)?.get(letter);

/** The time that rules of a model compare with. */
export const ruleTime = (model: ModelEntry): Date => prepared.get(model)?.clock() ?? new Date();

/** The part of a user's own document that rules need. @param user the model of users */
export function ownDocumentOf(user: ModelEntry, row: Readonly<Record<string, unknown>>): OwnDocument {
  const names = ownFields.get(user);
  if (names === undefined || names.size === 0) return undefined;
  return Object.fromEntries([...names].filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name]]));
}
