/** Creates a webhook. */
import { Button, MultiSelect, Stack, TextInput } from '@mantine/core';
import { textOf } from '../../api/client.ts';
import { useModels } from '../../api/models.ts';
import { eventWords, useModelNames } from '../../api/names.ts';
import { draftKey } from '../../drafts.ts';
import { useChoiceList, useSearchedList } from '../../parts/choice-list.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useDialogForm } from '../../parts/use-form.tsx';

type Create = (body: object) => Promise<void>;

export function NewWebhook({ create }: { readonly create: Create }) {
  const draft = draftKey('webhook');
  return (
    <FormDialog title="New webhook" draft={draft}>
      {(close) => <Form draft={draft} create={(body) => create(body).then(close)} />}
    </FormDialog>
  );
}

const blank = { url: '', description: '', models: [] as string[], chosen: Object.keys(eventWords) };

/** An address may have a secret in its path, its query or before its host, so it is typed again after a reload. */
const secrets = ['url'] as const;

function Form({ draft, create }: { readonly draft: string; readonly create: Create }) {
  const names = [...(useModels().data?.keys() ?? [])];
  const { ofModel } = useModelNames();
  const form = useDialogForm(draft, blank, secrets);
  const { models, chosen } = form.values;
  const [modelList, eventList] = [useSearchedList(), useChoiceList()];
  const [url, description] = [form.values.url.trim(), form.values.description.trim()];
  const send = (): void => {
    const body = {
      url,
      models: models.length === 0 ? ['*'] : models,
      events: chosen,
      ...(description === '' ? {} : { description }),
    };
    create(body).catch((error: unknown) => form.fail(textOf(error)));
  };
  return (
    <Stack>
      {form.notice}
      <TextInput label="Address" required placeholder="https://example.com/changes" {...form.input('url')} />
      <MultiSelect
        label="Models"
        description="None means all. It sends what you may read."
        data={names.map((value) => ({ value, label: ofModel(value) }))}
        value={models}
        onChange={(next) => form.set({ models: next })}
        {...modelList}
      />
      <MultiSelect
        label="Events"
        data={Object.entries(eventWords).map(([value, label]) => ({ value, label }))}
        value={chosen}
        onChange={(next) => form.set({ chosen: next })}
        {...eventList}
      />
      <TextInput label="Description" {...form.input('description')} />
      {form.alert}
      <Button onClick={send}>Create</Button>
    </Stack>
  );
}
