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
