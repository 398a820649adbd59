/** The syntax tree of regular expressions. */
import type { CharSet } from './char-set.ts';

/** A part of a regular expression. */
export type Node =
  /** One character of a set; `fold` ignores its case. */
  | { readonly type: 'chars'; readonly set: CharSet; readonly fold: boolean }
  | { readonly type: 'sequence'; readonly parts: readonly Node[] }
  | { readonly type: 'choice'; readonly options: readonly Node[] }
  | Repeat
  | { readonly type: 'assertion'; readonly name: Assertion }
  /** A back reference to a group by its number. */
  | { readonly type: 'capture'; readonly index: number; readonly body: Node }
  | { readonly type: 'reference'; readonly index: number }
  | { readonly type: 'look'; readonly behind: boolean; readonly negated: boolean; readonly body: Node }
  /** An atomic group: it is not re-entered after it has matched. */
  | { readonly type: 'atomic'; readonly body: Node };

/** A repeated part. */
export interface Repeat {
  readonly type: 'repeat';
  readonly body: Node;
  readonly min: number;
  readonly max: number;
  readonly lazy: boolean;
}

/** Zero-width assertions; `end` also matches before a final line break. */
export type Assertion = 'start' | 'end' | 'very end' | 'line start' | 'line end' | 'word edge' | 'no word edge';

/** The direct children of a part. */
export function partsOf(node: Node): readonly Node[] {
  switch (node.type) {
    case 'sequence':
      return node.parts;
    case 'choice':
      return node.options;
    case 'repeat':
    case 'capture':
    case 'look':
    case 'atomic':
      return [node.body];
    default:
      return [];
  }
}

/** Whether a part or any descendant passes a test. */
export function hasPart(node: Node, test: (part: Node) => boolean): boolean {
  return test(node) || partsOf(node).some((part) => hasPart(part, test));
}
