/**
 * Fields with decorators, as typegoose has them. jiti's Babel refuses `@prop() name!: string`, and leaves a call that throws where such a class
 * is constructed, because it transforms decorators and not class properties. TypeScript compiles both.
 */
import type { TransformOptions } from 'jiti';

/** The parts of Babel's syntax tree that are used (https://babeljs.io/docs/babel-types). */
interface Node {
  definite?: boolean | null;
  readonly callee?: { readonly name?: string };
  readonly arguments?: readonly object[];
}
interface Path<T = Node> {
  readonly node: T;
  readonly traverse: (visitor: Readonly<Record<string, (path: Path<Field>) => void>>) => void;
}
interface Field extends Node {
  value?: (Node & object) | null;
}
interface Babel {
  readonly template: { readonly expression: (code: string) => (parts: object) => Node };
}

const plugin = ({ template }: Babel): object => {
  const initialised = template.expression('DESCRIPTOR?.initializer?.call(this)');
  return {
    visitor: {
      Program: {
        enter: (program: Path) =>
          program.traverse({
            ClassProperty({ node }) {
              node.definite = false;
            },
          }),
        exit: (program: Path) =>
          program.traverse({
            ClassProperty({ node }) {
              const [descriptor] = node.value?.arguments ?? [];
              if (descriptor !== undefined && /^_initializerWarningHelper/.test(node.value?.callee?.name ?? ''))
                node.value = initialised({ DESCRIPTOR: descriptor });
            },
          }),
      },
    },
  };
};

/** Options of a transformation, after which classes have their decorated fields. */
export const withFields = (options: TransformOptions): TransformOptions =>
  options.ts === true ? { ...options, babel: { ...options.babel, plugins: [plugin] } } : options;

/** What Babel gives a decorator as the type of a field: the value of the type's name. */
const namedType = /("design:type", )(typeof ([\w$.]+) === "undefined" \? Object : \3)(?=\))/g;

/** Transformed code, whose decorators get the types that TypeScript gives them. @param loader the module that has `declaredType` */
export const withDeclaredTypes = (code: string, loader: string): string =>
  code.includes('"design:type"') ? code.replace(namedType, `$1require('${loader}').declaredType($2)`) : code;

/** The type of a field by what its type's name stands for: for an enum, that of its values, as TypeScript has it. */
export function declaredType(named: unknown): unknown {
  if (typeof named !== 'object' || named === null) return named;
  // a numeric member is there by its number, too
  const members = Object.entries(named).filter(([name]) => !/^-?\d/.test(name));
  const types = new Set(members.map(([, value]) => typeof value));
  const [type] = types;
  if (types.size !== 1) return Object;
  return type === 'string' ? String : type === 'number' ? Number : Object;
}
