/** The title of a saved view, and whether others see it. */
import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { OwnModel } from '../api/models.ts';
import { useMe } from '../api/models.ts';
import type { SavedView } from '../api/saved-views.ts';
import { run } from '../parts/run.ts';
import { useFocusBack } from '../parts/use-focus-back.ts';
import { useText } from '../parts/use-text.ts';

interface SaveParts {
  readonly model: OwnModel;
  /** Undefined for a new one. */
  readonly view?: SavedView;
  readonly save: (values: { readonly title: string; readonly shared?: boolean }) => Promise<void>;
  readonly close: () => void;
}

const maxTitle = 100;

export function SaveView({ model, view, save, close }: SaveParts) {
  useFocusBack('[data-key="views"]');
  const title = useText(view?.title);
  const isSharedNow = view?.shared === true;
  const [isShared, setShared] = useState(isSharedNow);
  const { c, u } = model.rights.rows;
  const mayShare = useMe().data?.user.admin === true || c !== 'none' || u !== 'none';
  const submit = (): void => {
    const shared = isShared === isSharedNow ? {} : { shared: isShared };
    run(async () => {
      await save({ title: title.value.trim(), ...shared });
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
        <Stack>
          <TextInput label="Title" required maxLength={maxTitle} data-autofocus {...title.input} />
          {mayShare || isSharedNow ? (
            <Checkbox
              label="Share with all who may read these documents"
              description="They see the view with the documents that they may read. Its owner and admins change it."
              checked={isShared}
              onChange={({ currentTarget }) => setShared(currentTarget.checked)}
            />
          ) : null}
          <Group justify="flex-end">
            <Button type="submit" disabled={title.value.trim() === ''}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
