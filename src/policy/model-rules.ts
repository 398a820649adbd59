/** The row rules of models, compiled when the server starts. */
import { Failure } from '../errors/errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import { firstName } from '../models/fields/path-type.ts';
import type { Letter } from '../models/letters.ts';
import { type ModelFaults, modelFileError } from '../models/loading/files.ts';
import { type OwnDocument, verifiedPath } from './own-document.ts';
import { type CompiledRule, compileRule } from './row-rules.ts';
import { viewOf } from './view.ts';

interface ModelRules {
  /** By role and letter. */
  readonly rules: ReadonlyMap<string, ReadonlyMap<Letter, CompiledRule>>;
  readonly clock: () => Date;
}

const prepared = new WeakMap<ModelEntry, ModelRules>();

/** What rules need of the documents of users. */
interface OwnFields {
  readonly names: ReadonlySet<string>;
  readonly needsProof: boolean;
}

const ownFields = new WeakMap<ModelEntry, OwnFields>();

interface RuleOptions {
  /** Gives `$now`. */
  readonly clock: () => Date;
  /** Whether an address counts only once it is verified: where people create accounts of their own, anyone may enter any address. */
  readonly needsProof: boolean;
}

/**
 * Compiles the rules of all models.
 * @param faults receives those of rules: the file, the role, the letter, and what is wrong
 */
export function prepareRules(
  models: readonly ModelEntry[],
  { clock, needsProof }: RuleOptions,
  faults: ModelFaults,
): void {
  const user = models.find(({ name }) => name === 'user');
  if (user === undefined) return;
  const named = new Set<string>();
  for (const model of models) {
    const rules = new Map([...model.options.perms.keys()].map((role) => [role, rulesOf(model, role, user, faults)]));
    for (const compiled of rules.values())
      for (const { userPaths } of compiled.values()) for (const path of userPaths) named.add(firstName(path));
    prepared.set(model, { rules, clock });
  }
  ownFields.set(user, { names: named, needsProof });
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

/** The part of a user's own document that rules need: an address that does not count is left out. @param user the model of users */
export function ownDocumentOf(user: ModelEntry, row: Readonly<Record<string, unknown>>): OwnDocument {
  const { names, needsProof } = ownFields.get(user) ?? { names: new Set<string>(), needsProof: false };
  if (names.size === 0) return undefined;
  const isVerified = row[verifiedPath] === true;
  const counts = (name: string): boolean =>
    name !== verifiedPath && Object.hasOwn(row, name) && (name !== 'email' || isVerified || !needsProof);
  return {
    [verifiedPath]: isVerified,
    ...Object.fromEntries([...names].filter(counts).map((name) => [name, row[name]])),
  };
}
