/** Chooses a document of a model by its title. A second line tells documents of one title apart. */
import { Select, type SelectProps, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { readById } from '../api/by-id.ts';
import { client } from '../api/client.ts';
import { detailOf, type Document, type Id, isId, titleField, titleOf } from '../api/fields.ts';
import { isReadable, type OwnModel, useModel } from '../api/models.ts';
import { useFirstChoice, useOpenList } from './choice-list.ts';

const offered = 20;
/** Milliseconds without a key after which documents are sought. */
const pause = 200;

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

/** Reads the documents whose title has a text. */
async function readBy(model: OwnModel, text: string, signal?: AbortSignal): Promise<readonly Document[]> {
  const title = titleField(model);
  const search = text === '' || title === undefined ? {} : { search: { [title]: text } };
  const options = { ...search, sort: title ?? '_id', limit: offered, ...(signal === undefined ? {} : { signal }) };
  return (await client.model(model.name).list(options)).data;
}

const searchBy = (model: OwnModel, text: string) =>
  queryOptions({
    queryKey: ['found', model.name, text],
    queryFn: ({ signal }) => readBy(model, text, signal),
  });

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

const isObjectId = (text: string): boolean => /^[\da-f]{24}$/i.test(text.trim());

/**
 * The documents whose title has what is typed into an input.
 * @param choose takes the first of them where Enter has asked for it and the input was left before they were there
 * @param titles what the input has for the document that is chosen, where it has one
 */
export function useTyped(model: OwnModel, choose: (id: string) => void, ...titles: readonly (string | undefined)[]) {
  const [text, setText] = useState('');
  const [sought] = useDebouncedValue(text, pause);
  const isChosen = (one: string): boolean => titles.includes(one);
  const { data, isPlaceholderData } = useQuery({
    ...searchBy(model, isChosen(sought) || isObjectId(sought) ? '' : sought),
    placeholderData: keepPreviousData,
  });
  const typed = isChosen(text) ? '' : text;
  const takeLater = async (given: string): Promise<void> => {
    // not the query of the choices, which ends when the input seeks something else
    const first = isObjectId(given) ? given.trim() : (await readBy(model, given))[0]?._id;
    if (first !== undefined) choose(String(first));
  };
  return {
    text,
    typed,
    documents: data ?? [],
    /** An id that was pasted, such as that of a document which is deleted. */
    pasted: isObjectId(typed) ? [typed.trim()] : [],
    input: {
      onSearchChange: setText,
      ...useFirstChoice(typed, sought === text && data !== undefined && !isPlaceholderData, takeLater),
    },
  };
}

function Found(parts: PickerParts & { readonly found: OwnModel }) {
  const { found: model } = parts;
  const id = isId(parts.value) ? parts.value : undefined;
  const read = useChosen(model, id).data;
  const value = id === undefined ? null : String(id);
  const [chosen, setChosen] = useState<Document>();
  const mine = read ?? (String(chosen?._id) === value ? chosen : undefined);
  const current = mine === undefined ? undefined : titleOf(mine, model);
  const now = useRef({ value, typed: '' });
  // what was chosen or typed since stays
  const chooseLater = (later: string): void => {
    if (now.current.value === value && now.current.typed === '') parts.set(later);
  };
  const { text, typed, documents, pasted, input } = useTyped(
    model,
    chooseLater,
    current,
    ...(value === null ? [] : [value]),
  );
  useEffect(() => void (now.current = { value, typed }));
  const label = useLabel(id, current ?? String(id), text);
  const known = [...(mine === undefined ? [] : [mine]), ...documents];
  const details = new Map(known.map((document) => [String(document._id), detailOf(document, model)]));
  const found = [
    ...pasted.filter((text) => !details.has(text)).map((text) => ({ value: text, label: text })),
    ...documents.map((document) => ({ value: String(document._id), label: titleOf(document, model) })),
  ];
  const options = [...(value === null ? [] : [{ value, label }]), ...found.filter((option) => option.value !== value)];
  return (
    <Select
      {...named(parts)}
      description={parts.hint}
      placeholder={parts.placeholder}
      required={parts.isRequired === true}
      error={parts.error}
      disabled={parts.isDisabled === true}
      {...useOpenList()}
      wrapperProps={{ 'data-printed': current ?? value ?? '–' }}
      searchable
      // Enter on the choice that there is keeps it
      allowDeselect={false}
      clearable={parts.isRequired !== true}
      clearButtonProps={{ 'aria-label': `Remove the choice of ${parts.label}` }}
      data={options}
      filter={() => (typed === '' ? options : found)}
      renderOption={optionWith(details)}
      nothingFoundMessage="Nothing found"
      value={value}
      onChange={(next) => {
        // its title is known before it is read
        setChosen(documents.find(({ _id }) => String(_id) === next));
        parts.set(next);
      }}
      {...input}
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
