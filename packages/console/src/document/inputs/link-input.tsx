/** An input for a link: documents of the linked model are found by their title. */
import { Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { type Id, isId, titleField, titleOf } from '../../api/fields.ts';
import { labelOfModel } from '../../api/labels.ts';
import { isReadable, type OwnModel, useModel } from '../../api/models.ts';
import type { InputParts } from './input-parts.ts';

const offered = 20;
const pause = 200;

interface LinkParts extends InputParts {
  /** The model that is linked to. */
  readonly link: string;
  readonly hint?: string | undefined;
}

export function LinkInput(parts: LinkParts) {
  const model = useModel(parts.link);
  return isReadable(model) ? <Found {...parts} model={model} /> : <Id {...parts} />;
}

/** An id, where the caller may not read what it links to. */
const Id = ({ label, hint, value, set, fault, disabled }: LinkParts) => (
  <TextInput
    label={label}
    description={hint}
    error={fault}
    disabled={disabled === true}
    value={isId(value) ? String(value) : ''}
    onChange={({ currentTarget }) => set(currentTarget.value || null)}
  />
);

/** The documents whose title has a text. */
function useFound(model: OwnModel, text: string) {
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

function useLinked(model: OwnModel, id: Id | undefined) {
  return useQuery({
    queryKey: ['linked', model.name, id],
    queryFn: ({ signal }) => client.model(model.name).one(id ?? '', { signal }),
    enabled: id !== undefined,
    retry: false,
  });
}

function Found({ label, hint, value, set, fault, disabled, field, model }: LinkParts & { readonly model: OwnModel }) {
  const id = isId(value) ? value : undefined;
  const linked = useLinked(model, id);
  const [text, setText] = useState('');
  const [sought] = useDebouncedValue(text, pause);
  const current = linked.data === undefined ? undefined : titleOf(linked.data, model);
  const { data = [] } = useFound(model, sought === current ? '' : sought);
  const others = data
    .filter(({ _id }) => _id !== id)
    .map((found) => ({ value: String(found._id), label: titleOf(found, model) }));
  const own = id === undefined ? [] : [{ value: String(id), label: current ?? String(id) }];
  return (
    <Select
      label={label}
      description={hint ?? `Links to ${labelOfModel(model)}`}
      required={field.required && !field.array}
      error={fault}
      disabled={disabled === true}
      searchable
      clearable={!field.required}
      clearButtonProps={{ 'aria-label': `Remove the link ${label}` }}
      data={[...own, ...others]}
      filter={({ options }) => options}
      nothingFoundMessage="Nothing found"
      value={id === undefined ? null : String(id)}
      onChange={(text) => set(text !== null && field.input === 'number' ? Number(text) : text)}
      onSearchChange={setText}
    />
  );
}
