/** In place of a document that does not exist any more, or that the caller may not read: the server does not say which. */
import { Anchor } from '@mantine/core';
import { labelOfModel } from '../api/labels.ts';
import { isReadable, keepsDeleted, type OwnModel } from '../api/models.ts';
import { EmptyView } from '../parts/states.tsx';
import { hrefOf } from '../route.ts';

export function NoDocument({ model }: { readonly model: OwnModel }) {
  const link = (label: string, query: Readonly<Record<string, string>> = {}) => (
    <Anchor size="sm" href={hrefOf(['documents', model.name], query)}>
      {label}
    </Anchor>
  );
  return (
    <EmptyView
      title="No such document"
      actions={
        isReadable(model) ? (
          <>
            {link(`All ${labelOfModel(model)}`)}
            {keepsDeleted(model) ? link('Trash', { deleted: 'only' }) : null}
          </>
        ) : undefined
      }
    >
      {keepsDeleted(model)
        ? 'The document was removed permanently, or you may not read it. What was only deleted is in the trash.'
        : 'The document was removed, or you may not read it.'}
    </EmptyView>
  );
}
