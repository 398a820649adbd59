/** What every input of a form receives, and what stands below its label. */
import type { Fault } from 'dossier-client';
import type { Field, OwnModel } from '../../api/models.ts';

export interface InputParts {
  readonly path: string;
  /** The path with the positions in lists that the value is at, such as `parts.0.pieces`; without it, there are none. */
  readonly place?: string;
  readonly field: Field;
  readonly label: string;
  readonly value: unknown;
  readonly set: (value: unknown) => void;
  /** The faults that were found in the value and in what is inside of it. */
  readonly faults?: readonly Fault[];
  /** The faults as one text, where the parts of the value have no inputs of their own. */
  readonly fault?: string | undefined;
  readonly disabled?: boolean;
  /** The model of the field, for the fields of list members. */
  readonly model?: OwnModel | undefined;
}

/** The description of the model file, then what else is to be known of the values. */
export const describedBy = (
  { description }: Pick<Field, 'description'>,
  ...hints: readonly (string | undefined)[]
): string | undefined =>
  [description, ...hints]
    .filter((text) => text !== undefined && text !== '')
    .map((text) => text?.replace(/\.$/, ''))
    .join('. ') || undefined;
