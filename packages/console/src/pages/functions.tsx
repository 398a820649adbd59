/** Calls the functions of models. */
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { type Callable, callablesOf } from '../api/functions.ts';
import { type Field, useModels } from '../api/models.ts';
import { useModelNames } from '../api/names.ts';
import { LinkInput } from '../document/inputs/link-input.tsx';
import { draftKey } from '../drafts.ts';
import { Editor } from '../parts/editor.tsx';
import { Failure } from '../parts/failure.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { NoRights } from '../parts/states.tsx';
import { useForm } from '../parts/use-form.tsx';
import { change, usePlace } from '../route.ts';

/** A document of the model, which is found as the target of a link is. */
const documentField: Field = {
  type: 'ObjectId',
  input: 'id',
  required: false,
  unique: false,
  index: false,
  array: false,
};

const titleOf = ({ model, name }: Callable): string => `${model}.${name}`;

export default function Functions() {
  const models = useModels().data;
  const functions = callablesOf(models?.values() ?? []);
  const { ofMember } = useModelNames();
  const { query } = usePlace();
  const chosen = functions.find((one) => titleOf(one) === query.get('function')) ?? functions[0];
  if (chosen === undefined) return <NoRights title="Functions">There is no function that you may call.</NoRights>;
  return (
    <>
      <PageTitle>Functions</PageTitle>
      <Stack maw={720}>
        <NativeSelect
          label="Function"
          data={functions.map((one) => ({ value: titleOf(one), label: ofMember(titleOf(one)) }))}
          value={titleOf(chosen)}
          onChange={({ currentTarget }) => change({ function: currentTarget.value })}
        />
        <CallForm key={titleOf(chosen)} {...chosen} firstId={query.get('id') ?? undefined} />
      </Stack>
    </>
  );
}

function CallForm({ model, name, on, firstId }: Callable & { readonly firstId: string | undefined }) {
  const form = useForm(draftKey('call', model, name, firstId), { id: firstId, input: '{}' });
  const { id, input } = form.values;
  const [result, setResult] = useState<{ readonly value: unknown }>();
  const [fault, setFault] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const call = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setFault(undefined);
    setResult(undefined);
    try {
      setResult({ value: await client.model(model).call(name, JSON.parse(input), id === undefined ? {} : { id }) });
      form.end();
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {form.notice}
      {on === 'model' ? null : (
        <LinkInput
          label="Document"
          hint={on === 'document' ? undefined : 'Without one, the function is called on the model'}
          path="_id"
          field={{ ...documentField, required: on === 'document' }}
          link={model}
          value={id}
          set={(next) => form.set({ id: typeof next === 'string' ? next : undefined })}
        />
      )}
      <div>
        <Text size="sm" fw={500}>
          Input
        </Text>
        <Text size="xs" c="dimmed">
          The body of the call, as JSON: a model does not say what its functions take
        </Text>
        <Editor label="Input" value={input} set={(next) => form.set({ input: next })} run={() => void call()} />
      </div>
      <Group>
        <Button loading={isBusy} onClick={() => void call()}>
          Call
        </Button>
      </Group>
      {fault === undefined ? null : <Failure error={fault} />}
      {result === undefined ? null : (
        <pre className="code" tabIndex={0} role="region" aria-label="Result">
          {JSON.stringify(result.value, null, 2) ?? 'null'}
        </pre>
      )}
    </>
  );
}
