/** Chooses a document of a model by its title. A second line tells documents of one title apart. */
import { Select, type SelectProps, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { readById } from '../api/by-id.ts';
import { client } from '../api/client.ts';
import { detailOf, type Id, isId, titleField, titleOf } from '../api/fields.ts';
import { isReadable, type OwnModel, useModel } from '../api/models.ts';
import { dropdownProps } from './choice-list.ts';

const offered = 20;
/** Milliseconds without a key after which documents are sought. */
export const pause = 200;

export interface PickerParts {
  /** The name of the model. */
  readonly model: string;
  readonly label: string;
  /** Without room for a label, it is read aloud only. */
  readonly isBare?: boolean;
  readonly hint?: string | undefined;
  readonly placeholder?: string;
  /** The id of the chosen document. */
  readonly value: unknown;
  readonly set: (id: string | null) => void;
  readonly error?: string | undefined;
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
}

export function Picker(parts: PickerParts) {
  const model = useModel(parts.model);
  return isReadable(model) ? <Found {...parts} found={model} /> : <IdInput {...parts} />;
}

const named = ({ label, isBare }: PickerParts) => (isBare === true ? { 'aria-label': label } : { label });

/** An id, where the caller may not read what it names. */
const IdInput = (parts: PickerParts) => (
  <TextInput
    {...named(parts)}
    description={parts.hint}
    error={parts.error}
    disabled={parts.isDisabled === true}
    value={isId(parts.value) ? String(parts.value) : ''}
    onChange={({ currentTarget }) => parts.set(currentTarget.value.trim() || null)}
  />
);

/** The documents whose title has a text. */
export function useFound(model: OwnModel, text: string) {
  const title = titleField(model);
  return useQuery({
    queryKey: ['found', model.name, text],
    queryFn: async ({ signal }) => {
      const search = text === '' || title === undefined ? {} : { search: { [title]: text } };
      const options = { ...search, sort: title ?? '_id', limit: offered, signal };
      return (await client.model(model.name).list(options)).data;
    },
    placeholderData: keepPreviousData,
  });
}

function useChosen(model: OwnModel | undefined, id: Id | undefined) {
  const name = model?.name ?? '';
  return useQuery({
    queryKey: ['linked', name, id],
    queryFn: () => readById(name, id ?? ''),
    enabled: id !== undefined && isReadable(model),
    retry: false,
  });
}

/** The title of a document, or its id where the caller may not read it. */
export function useTitle(model: OwnModel | undefined, id: Id, isWanted = true): string {
  const { data } = useChosen(model, isWanted ? id : undefined);
  return data === undefined ? String(id) : titleOf(data, model);
}

/** An id that was pasted, such as that of a document which is deleted. */
export const isObjectId = (text: string): boolean => /^[\da-f]{24}$/i.test(text.trim());

function Found(parts: PickerParts & { readonly found: OwnModel }) {
  const { found: model, value } = parts;
  const id = isId(value) ? value : undefined;
  const chosen = useChosen(model, id);
  const [text, setText] = useState('');
  const [sought] = useDebouncedValue(text, pause);
  const current = chosen.data === undefined ? undefined : titleOf(chosen.data, model);
  const { data = [] } = useFound(model, sought === current || isObjectId(sought) ? '' : sought);
  const ofChoice = chosen.data ?? data.find(({ _id }) => _id === id);
  const label = useLabel(id, ofChoice === undefined ? String(id) : titleOf(ofChoice, model), text);
  const others = data.filter(({ _id }) => _id !== id);
  const known = [...(ofChoice === undefined ? [] : [ofChoice]), ...others];
  const details = new Map(known.map((document) => [String(document._id), detailOf(document, model)]));
  const options = [
    ...(id === undefined ? [] : [{ value: String(id), label }]),
    ...(isObjectId(text) && !details.has(text.trim()) && text.trim() !== id
      ? [{ value: text.trim(), label: text.trim() }]
      : []),
    ...others.map((document) => ({ value: String(document._id), label: titleOf(document, model) })),
  ];
  return (
    <Select
      {...named(parts)}
      description={parts.hint}
      placeholder={parts.placeholder}
      required={parts.isRequired === true}
      error={parts.error}
      disabled={parts.isDisabled === true}
      comboboxProps={dropdownProps}
      searchable
      clearable={parts.isRequired !== true}
      clearButtonProps={{ 'aria-label': `Remove the choice of ${parts.label}` }}
      data={options}
      filter={({ options: all }) => all}
      renderOption={optionWith(details)}
      nothingFoundMessage="Nothing found"
      value={id === undefined ? null : String(id)}
      onChange={parts.set}
      onSearchChange={setText}
    />
  );
}

/** The label of the choice. A new one replaces what is in the box, so a title that is read late waits while something is typed there. */
function useLabel(id: Id | undefined, title: string, typed: string): string {
  const shown = useRef({ id, label: title });
  if (shown.current.id !== id || shown.current.label === typed) shown.current = { id, label: title };
  return shown.current.label;
}

/** An option with a second line. @param details the second lines by value */
export const optionWith =
  (details: ReadonlyMap<string, string>): NonNullable<SelectProps['renderOption']> =>
  ({ option: { value, label } }) => (
    <div className="anywhere">
      <Text size="sm" dir="auto">
        {label}
      </Text>
      <Text size="xs" dir="auto">
        {details.get(value)}
      </Text>
    </div>
  );
