/** An input for a list of short texts, as chips: Enter adds one, Backspace removes the last one. */
import { MultiSelect, TagsInput } from '@mantine/core';
import type { Field } from '../../api/models.ts';
import { useChoiceList, useSearchedList } from '../../parts/choice-list.ts';
import { hintOf } from '../limits.ts';
import { describedBy, type InputParts } from './input-parts.ts';

/** Characters of a chip at most; longer texts have lines of their own. */
const maxChip = 60;

const isShort = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= maxChip && !value.includes('\n');

/** Whether a list can be shown as chips: texts without links, all of them short. */
export const isChips = ({ input, link, enum: choices }: Field, members: readonly unknown[]): boolean =>
  input === 'text' &&
  link === undefined &&
  members.every(isShort) &&
  // a list of choices has each of them once
  (choices === undefined || new Set(members).size === members.length);

/** Whether a list may have a member twice. */
export const mayRepeat = (field: Field): boolean => field.link === undefined && field.enum === undefined;

type ChipsParts = Omit<InputParts, 'set'> & {
  readonly set: (members: readonly string[]) => void;
  readonly members: readonly string[];
};

export function ChipsInput({ label, field, fault, disabled, set, members }: ChipsParts) {
  const [freeList, choiceList] = [useChoiceList(), useSearchedList()];
  const shared = {
    label,
    description: describedBy(field, hintOf(field), field.enum === undefined ? 'Enter adds one' : undefined),
    error: fault,
    disabled: disabled === true,
    value: [...members],
  };
  if (field.enum === undefined)
    return (
      <TagsInput
        {...freeList}
        {...shared}
        splitChars={[]}
        allowDuplicates
        acceptValueOnBlur
        onChange={(next) => set(next)}
      />
    );
  const choices = new Set([...field.enum.filter((one) => one !== null).map(String), ...members]);
  return <MultiSelect {...choiceList} {...shared} data={[...choices]} onChange={(next) => set(next)} />;
}
