/** The title of a saved view, and whether others see it. */
import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import type { OwnModel } from '../api/models.ts';
import { useMe } from '../api/models.ts';
import type { SavedView } from '../api/saved-views.ts';
import { run } from '../parts/run.ts';
import { useFocusBack } from '../parts/use-focus-back.ts';
import { useDialogForm } from '../parts/use-form.tsx';

interface SaveParts {
  readonly model: OwnModel;
  /** The key of the draft. */
  readonly draft: string;
  /** Undefined for a new one. */
  readonly view?: SavedView;
  readonly save: (values: { readonly title: string; readonly shared?: boolean }) => Promise<void>;
  readonly close: () => void;
}

const maxTitle = 100;

export function SaveView({ model, draft, view, save, close }: SaveParts) {
  useFocusBack('[data-key="views"]');
  const isSharedNow = view?.shared === true;
  const form = useDialogForm(draft, { title: view?.title ?? '', isShared: isSharedNow });
  const { title, isShared } = form.values;
  const { c, u } = model.rights.rows;
  const mayShare = useMe().data?.user.admin === true || c !== 'none' || u !== 'none';
  const submit = (): void => {
    const shared = isShared === isSharedNow ? {} : { shared: isShared };
    run(async () => {
      await save({ title: title.trim(), ...shared });
      close();
    }, 'The view is saved.');
  };
  return (
    <Modal opened onClose={close} title={view === undefined ? 'Save as a view' : `Change “${view.title}”`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {form.notice}
        <Stack>
          <TextInput label="Title" required maxLength={maxTitle} data-autofocus {...form.input('title')} />
          {mayShare || isSharedNow ? (
            <Checkbox
              label="Share with all who may read these documents"
              description="They see the view with the documents that they may read. Its owner and admins change it."
              checked={isShared}
              onChange={({ currentTarget }) => form.set({ isShared: currentTarget.checked })}
            />
          ) : null}
          <Group justify="flex-end">
            <Button type="submit" disabled={title.trim() === ''}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
