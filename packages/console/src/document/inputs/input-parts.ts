/** What every input of a form receives (types only). */
import type { Field, OwnModel } from '../../api/models.ts';

export interface InputParts {
  readonly path: string;
  readonly field: Field;
  readonly label: string;
  readonly value: unknown;
  readonly set: (value: unknown) => void;
  /** The fault that was found in the value. */
  readonly fault?: string | undefined;
  readonly disabled?: boolean;
  /** The model of the field, for the fields of list members. */
  readonly model?: OwnModel | undefined;
}
