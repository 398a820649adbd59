/** The documents of a model: a table, or one document. */
import { lazy } from 'react';
import { labelOfModel, labelOfNew } from '../api/labels.ts';
import { isGranted, isReadable, type OwnModel, useModelsFor } from '../api/models.ts';
import type { ViewParts } from '../layout/view-parts.ts';
import { Loaded, NoModel, NoRights } from '../parts/states.tsx';
import { newPart } from '../route.ts';
import { DocumentTable } from './document-table.tsx';

const OneDocument = lazy(() => import('../document/index.tsx'));

export default function Documents({ path: [name = '', id, more] }: ViewParts) {
  const models = useModelsFor(name);
  return (
    <Loaded of={models}>
      {(known) => {
        const model = known.get(name);
        return model === undefined ? (
          <NoModel title="Documents" name={name} />
        ) : (
          <OfModel {...{ model, id, isForm: id === newPart && more === undefined }} />
        );
      }}
    </Loaded>
  );
}

interface OfModelParts {
  readonly model: OwnModel;
  /** Of one document; undefined for the table. */
  readonly id: string | undefined;
  /** Whether a document is created. */
  readonly isForm: boolean;
}

function OfModel({ model, id, isForm }: OfModelParts) {
  const label = labelOfModel(model);
  if (isForm && model.rights.rows.c === 'none')
    return (
      <NoRights title={labelOfNew(model)} isGranted={isGranted(model, 'c')}>
        You may not create documents of {label}.
      </NoRights>
    );
  if (id !== undefined)
    return <OneDocument key={`${id} ${String(isForm)}`} model={model} id={isForm ? undefined : id} />;
  if (!isReadable(model)) return <NoRights title={label}>You may not read documents of {label}.</NoRights>;
  return <DocumentTable key={model.name} model={model} />;
}
