/** Reads filters in JSON: checks operators, depth, keys and hidden paths, and casts values by the schema. */
import { badFilter, expressionDenied, operatorDenied, secretPath } from '../errors/errors.ts';
import { castJson } from '../models/fields/cast.ts';
import { refuseUnlisted } from '../models/fields/enum-values.ts';
import { typeAt } from '../models/fields/path-type.ts';
import { realPath } from '../models/fields/resolve-alias.ts';
import { isPlainObject } from '../models/plain-object.ts';
import { allOf } from './and.ts';
import { FilterBudget, filterLimits } from './budget.ts';
import { fromExtendedJson, fromText } from './extended.ts';
import type { Filter } from './filter.ts';
import { checkKnown, checkPath, isDangerous } from './key-checks.ts';
import { withinKinds } from './kind-filter.ts';
import { joinLinked, linkedCondition, type LinkResolver, type LinkStep } from './link-conditions.ts';
import { conditionNames, logicalNames, type OperatorRow, operators } from './operators.ts';
import { pattern } from './regex.ts';
import type { SchemaView } from './schema-view.ts';
import { refuseWholes } from './whole-paths.ts';

type Json = Readonly<Record<string, unknown>>;

/** Whether a value is an object of names; ids, dates and numbers of BSON are not. */
export const isObject = (value: unknown): value is Json => isPlainObject(value);

/** Is called for what depends on the time. */
type Clock = () => Date;

/** Reads the operand of `$expr`, where that is allowed: in pipelines. */
type ReadExpression = ((value: unknown) => unknown) | undefined;

/**
 * Reads a filter of stored documents from a JSON body.
 * @param resolveLink the links that it may lead through; none where a filter judges single documents @throws 400 with the reason, 403
 */
export function filterFromJson(value: unknown, view: SchemaView, now: Clock, resolveLink?: LinkResolver): Filter {
  return filterOfStored(value, { view, now, resolveLink, where: 'filter' });
}

/**
 * The same for a filter that may name values which the schema's `enum` does not have: of rules, which the author of the model writes, and
 * of what an update removes.
 */
export const filterOfAnyValue = (value: unknown, view: SchemaView, now: Clock): Filter =>
  filterOfStored(value, { view, now, where: 'filter', takesAnyValue: true });

/** What such a filter has at the path of its only condition, for the values of the documents that have the path. */
export function conditionOfAnyValue(path: string, condition: object, view: SchemaView, now: Clock): unknown {
  return checked({ [path]: condition }, { view, now, where: 'filter', takesAnyValue: true })[path];
}

const filterOfStored = (value: unknown, parts: ReaderParts): Filter =>
  withinKinds(checked(value, parts), parts.view.schema);

function checked(value: unknown, parts: ReaderParts): Filter {
  const read = new FilterReader(parts).filter(value, 1);
  refuseWholes(read, parts.view);
  return read;
}

/**
 * Reads the filter of a `$match`. It runs on documents without password-named parts, so it may compare whole objects and use
 * expressions.
 * @param expression reads the operand of `$expr` @throws 400
 */
export function filterOfCleaned(value: unknown, view: SchemaView, now: Clock, expression: ReadExpression): Filter {
  const read = new FilterReader({ view, now, expression, where: 'filter' }).filter(value, 1);
  return withinKinds(read, view.schema);
}

interface ReaderParts {
  readonly view: SchemaView;
  readonly now: Clock;
  readonly expression?: ReadExpression;
  readonly resolveLink?: LinkResolver | undefined;
  /** The part of the request that messages name. */
  readonly where: string;
  /** Whether values are accepted that the schema's `enum` does not have. */
  readonly takesAnyValue?: true;
}

/** Walks one filter. The parts of a filter share a budget; each method is given the depth that it works at. */
class FilterReader {
  constructor(
    private readonly parts: ReaderParts,
    private readonly budget = new FilterBudget(),
    /** The path that conditions inside `$elemMatch` are about, with a dot at its end. */
    private readonly prefix = '',
  ) {}

  filter(value: unknown, depth: number): Filter {
    if (!isObject(value)) throw badFilter('a filter must be an object');
    this.budget.level(depth);
    const result: Filter = {};
    const linked: Filter[] = [];
    for (const [key, inner] of Object.entries(value)) {
      const step = key.startsWith('$') ? undefined : this.#stepOf(key);
      if (step !== undefined) linked.push(this.#linked(step, inner, depth));
      else if (key.startsWith('$')) result[key] = this.#logical(key, inner, depth);
      else this.#addCondition(result, key, inner, depth);
    }
    return linked.length === 0 ? result : allOf([result, ...joinLinked(linked)]);
  }

  /** The link that a name leads through. Its ids are inside of what `$elemMatch` is about. */
  #stepOf(name: string): LinkStep | undefined {
    const { view, resolveLink } = this.parts;
    const full = realPath(view.schema, this.prefix + name);
    if (resolveLink === undefined || !full.includes('.')) return undefined;
    checkPath(view, full);
    const step = resolveLink(full);
    return step?.path.startsWith(this.prefix) === true ? step : undefined;
  }

  /** Reads a condition on a path of a linked document as one on the ids. */
  #linked(step: LinkStep, value: unknown, depth: number): Filter {
    this.budget.link();
    const { view, resolveLink, rest, as, path } = step;
    const parts = { ...this.parts, view, resolveLink, where: `${this.parts.where} through ${as}` };
    const filter = new FilterReader(parts, this.budget).filter({ [rest]: value }, depth);
    refuseWholes(filter, view);
    const limited = withinKinds(filter, view.schema);
    return linkedCondition({ ...step, path: path.slice(this.prefix.length) }, [limited]);
  }

  #logical(key: string, value: unknown, depth: number): unknown {
    if (key === '$expr' && this.prefix === '') {
      if (this.parts.expression === undefined) throw expressionDenied();
      return this.parts.expression(value);
    }
    if (operators.get(key)?.operand !== 'filters') throw operatorDenied(key, logicalNames);
    if (!Array.isArray(value) || value.length === 0) throw badFilter(`${key} takes a list of filters`);
    return value.map((member: unknown) => {
      // it has no condition that would be counted
      if (isObject(member) && Object.keys(member).length === 0) this.budget.condition();
      return this.filter(member, depth + 1);
    });
  }

  #addCondition(result: Filter, name: string, value: unknown, depth: number): void {
    const { view } = this.parts;
    const full = realPath(view.schema, this.prefix + name);
    const path = full.slice(this.prefix.length);
    checkPath(view, full);
    checkKnown(view, full, this.parts.where);
    if (Object.hasOwn(result, path)) throw badFilter(`${path} is given twice`);
    result[path] = isOperation(value) ? this.#operations(full, value, depth + 1) : this.#equal(full, value);
  }

  #operations(path: string, operands: Json, depth: number): Filter {
    this.budget.level(depth);
    const result: Filter = {};
    for (const name of Object.keys(operands))
      if (name !== '$options') Object.assign(result, this.#operation(path, name, operands, depth));
    if (Object.hasOwn(operands, '$options') && !Object.hasOwn(operands, '$regex'))
      throw badFilter('$options needs $regex');
    return result;
  }

  /** One of the operators on a path. @param operands by operator, those beside it included */
  #operation(path: string, name: string, operands: Json, depth: number): Filter {
    const row = operators.get(name);
    const operand = operands[name];
    if (row === undefined || row.operand === 'filters') throw operatorDenied(name, conditionNames);
    this.budget.condition();
    switch (row.operand) {
      case 'list':
        return { [name]: this.#exact(path, row, this.#list(path, name, operand)) };
      case 'switch':
        if (operand !== true && operand !== false && operand !== 1 && operand !== 0)
          throw badFilter(`${name} takes true or false`);
        return { [name]: Boolean(operand) };
      case 'size':
        if (!Number.isSafeInteger(operand) || (operand as number) < 0) throw badFilter(`${name} takes a whole number`);
        return { [name]: operand };
      case 'pattern':
        this.budget.pattern();
        return { ...pattern(operand, Object.hasOwn(operands, '$options') ? operands['$options'] : '') };
      case 'modulo':
        return { $mod: divisorAndRemainder(operand) };
      case 'type':
        return { $type: typeNames(operand) };
      case 'condition':
        if (!isOperation(operand)) throw badFilter('$not takes operators');
        return { $not: this.#operations(path, operand, depth + 1) };
      case 'element':
        return { $elemMatch: this.#element(path, operand, depth + 1) };
      default:
        return { [name]: this.#exact(path, row, this.#plain(path, operand)) };
    }
  }

  #element(path: string, operand: unknown, depth: number): Filter {
    if (!isObject(operand)) throw badFilter('$elemMatch takes an object');
    if (isOperation(operand) && !Object.keys(operand).some((key) => operators.get(key)?.operand === 'filters'))
      return this.#operations(path, operand, depth);
    return new FilterReader(this.parts, this.budget, `${path}.`).filter(operand, depth);
  }

  #list(path: string, name: string, operand: unknown): unknown[] {
    if (!Array.isArray(operand)) throw badFilter(`${name} takes a list`);
    this.budget.values(operand.length);
    return operand.map((member: unknown) => this.#plain(path, member));
  }

  #equal(path: string, value: unknown): unknown {
    this.budget.condition();
    const cast = this.#exact(path, equal, this.#plain(path, value));
    // an object or list is compared as a whole and must not be mistaken for operators
    return isObject(cast) || Array.isArray(cast) ? { $eq: cast } : cast;
  }

  /** Refuses values that the schema's `enum` does not have, where the operator compares with them. @param cast a value, or a list */
  #exact<T>(path: string, { isExact }: Pick<OperatorRow, 'isExact'>, cast: T): T {
    if (isExact !== true || this.parts.takesAnyValue === true) return cast;
    const members: unknown[] = [cast].flat(2);
    refuseUnlisted(
      this.parts.view.schema,
      path,
      members.map((member) => [member]),
    );
    return cast;
  }

  /** Reads a value: converts extended forms, refuses operators and dangerous keys, and casts by the type of its path. */
  #plain(path: string, value: unknown): unknown {
    const { schema } = this.parts.view;
    const read = this.#literal(value, 1);
    const type = typeAt(schema, path);
    if (type.kind === 'leaf' && isObject(read)) throw badFilter(`${path} cannot be an object${missingSign(read)}`);
    return castJson(schema, path, read);
  }

  #literal(value: unknown, depth: number): unknown {
    if (depth > filterLimits.levels) throw badFilter(`a value must have at most ${filterLimits.levels} levels`);
    if (typeof value === 'string') return fromText(value, this.parts.now);
    if (typeof value === 'number' && !Number.isFinite(value)) throw badFilter('a number must be finite');
    if (Array.isArray(value)) return value.map((member: unknown) => this.#literal(member, depth + 1));
    if (!isObject(value)) return value;
    const extended = fromExtendedJson(value);
    if (extended !== undefined) return extended;
    const result: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) {
      if (key.startsWith('$')) throw operatorDenied(key, []);
      if (isDangerous(key)) throw badFilter(`${JSON.stringify(key)} cannot be used as a name`);
      if (!this.parts.view.showsKey(key)) throw secretPath(key);
      result[key] = this.#literal(inner, depth + 1);
    }
    return result;
  }
}

/** Whether an object consists of operators, rather than being a value to compare with. */
function isOperation(value: unknown): value is Json {
  return (
    isObject(value) && Object.keys(value).some((key) => key.startsWith('$')) && fromExtendedJson(value) === undefined
  );
}

/** The end of a message, for an object whose keys are operators without their `$`. */
function missingSign(value: Json): string {
  const name = Object.keys(value).find((key) => conditionNames.includes(`$${key}`));
  return name === undefined ? '' : `; operators begin with $: "$${name}"`;
}

/** A value in the place of operators. */
const equal = { isExact: true } as const;

function divisorAndRemainder(operand: unknown): unknown {
  if (!Array.isArray(operand) || operand.length !== 2 || !operand.every(Number.isSafeInteger) || operand[0] === 0)
    throw badFilter('$mod takes a divisor and a remainder');
  return operand;
}

const bsonTypes: ReadonlySet<unknown> = new Set([
  ...[
    'double',
    'string',
    'object',
    'array',
    'binData',
    'objectId',
    'bool',
    'date',
    'null',
    'regex',
    'int',
    'long',
    'decimal',
    'number',
  ],
  ...[1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 16, 18, 19],
]);

function typeNames(operand: unknown): unknown {
  const names: unknown[] = Array.isArray(operand) ? operand : [operand];
  if (names.length === 0 || !names.every((name) => bsonTypes.has(name)))
    throw badFilter('$type takes names of BSON types');
  return operand;
}
