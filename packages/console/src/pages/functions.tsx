/** Calls the functions of models. */
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { type Callable, callablesOf } from '../api/functions.ts';
import { useModels } from '../api/models.ts';
import { Editor } from '../parts/editor.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { EmptyView, Failure } from '../parts/states.tsx';
import { change, usePlace } from '../route.ts';

const titleOf = ({ model, name }: Callable): string => `${model}.${name}`;

export default function Functions() {
  const functions = callablesOf(useModels().data?.values() ?? []);
  const { query } = usePlace();
  const chosen = functions.find((one) => titleOf(one) === query.get('function')) ?? functions[0];
  if (chosen === undefined) return <EmptyView title="Functions">There is no function that you may call.</EmptyView>;
  return (
    <>
      <PageTitle>Functions</PageTitle>
      <Stack maw={720}>
        <NativeSelect
          label="Function"
          data={functions.map(titleOf)}
          value={titleOf(chosen)}
          onChange={({ currentTarget }) => change({ function: currentTarget.value })}
        />
        <CallForm key={titleOf(chosen)} {...chosen} firstId={query.get('id') ?? ''} />
      </Stack>
    </>
  );
}

function CallForm({ model, name, on, firstId }: Callable & { readonly firstId: string }) {
  const [id, setId] = useState(firstId);
  const [input, setInput] = useState('{}');
  const [result, setResult] = useState<{ readonly value: unknown }>();
  const [fault, setFault] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const call = async (): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    setResult(undefined);
    try {
      const on = id.trim() === '' ? {} : { id: id.trim() };
      setResult({ value: await client.model(model).call(name, JSON.parse(input), on) });
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {on === 'model' ? null : (
        <TextInput
          label="Id of the document"
          description={on === 'document' ? undefined : 'Without it, the function is called on the model'}
          required={on === 'document'}
          value={id}
          onChange={({ currentTarget }) => setId(currentTarget.value)}
        />
      )}
      <div>
        <Text size="sm" fw={500}>
          Input
        </Text>
        <Editor label="Input" value={input} set={setInput} run={() => void call()} />
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
