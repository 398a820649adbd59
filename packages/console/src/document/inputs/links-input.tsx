/** An input for a list of links: documents are found by their title and shown as chips, in their order. Backspace removes the last one. */
import { MultiSelect } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { detailOf, type Id, isId, titleOf } from '../../api/fields.ts';
import { labelOfModel } from '../../api/labels.ts';
import type { OwnModel } from '../../api/models.ts';
import { useTitles } from '../../api/titles.ts';
import { useChoiceList } from '../../parts/choice-list.ts';
import { optionWith, useTyped } from '../../parts/picker.tsx';
import { describedBy, type InputParts } from './input-parts.ts';

/** Whether all members of a list are ids, each of them once. */
export const areLinks = (members: readonly unknown[]): members is readonly Id[] =>
  members.every(isId) && new Set(members.map(String)).size === members.length;

type LinksParts = Omit<InputParts, 'set'> & {
  readonly linked: OwnModel;
  readonly members: readonly Id[];
  readonly set: (members: readonly Id[]) => void;
};

export function LinksInput({ label, field, fault, disabled, set, linked, members }: LinksParts) {
  const titleOfId = useTitles(members.map((id) => ({ model: linked.name, id })));
  const list = useChoiceList();
  const chosen = members.map(String);
  const setIds = (ids: readonly string[]): void => set(ids.map((id) => (field.input === 'number' ? Number(id) : id)));
  // by then there may be others
  const latest = useRef(chosen);
  useEffect(() => void (latest.current = chosen));
  const { documents, pasted, input } = useTyped(linked, (id) => setIds([...new Set([...latest.current, id])]));
  // the titles of those that were chosen just now are known before they are read
  const found = new Map(documents.map((document) => [String(document._id), document]));
  const titleFor = (id: string): string => {
    const document = found.get(id);
    if (document !== undefined) return titleOf(document, linked);
    return titleOfId({ model: linked.name, id: field.input === 'number' ? Number(id) : id }) ?? id;
  };
  const values = [...new Set([...chosen, ...pasted, ...found.keys()])];
  return (
    <MultiSelect
      label={label}
      description={describedBy(field, `Links to ${labelOfModel(linked)}`)}
      error={fault}
      disabled={disabled === true}
      {...list}
      searchable
      hidePickedOptions
      data={values.map((value) => ({ value, label: titleFor(value) }))}
      filter={({ options }) => options}
      renderOption={optionWith(
        new Map(documents.map((document) => [String(document._id), detailOf(document, linked)])),
      )}
      nothingFoundMessage="Nothing found"
      value={chosen}
      onChange={setIds}
      {...input}
    />
  );
}
