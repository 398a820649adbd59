/** In place of a document that does not exist any more, or that the caller may not read: the server does not say which. */
import { Anchor } from '@mantine/core';
import { labelOfModel } from '../api/labels.ts';
import { isReadable, type OwnModel } from '../api/models.ts';
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
            {link('Trash', { deleted: 'only' })}
          </>
        ) : undefined
      }
    >
      The document was removed permanently, or you may not read it. What was only deleted is in the trash.
    </EmptyView>
  );
}
