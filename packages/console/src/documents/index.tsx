/** The documents of a model: a table, or one document. */
import { lazy } from 'react';
import { labelOfModel } from '../api/labels.ts';
import { isReadable, useModels } from '../api/models.ts';
import type { ViewParts } from '../layout/view-parts.ts';
import { NoModel, NoRights } from '../parts/states.tsx';
import { newPart } from '../route.ts';
import { DocumentTable } from './document-table.tsx';

const OneDocument = lazy(() => import('../document/index.tsx'));

export default function Documents({ path: [name = '', id, more] }: ViewParts) {
  const model = useModels().data?.get(name);
  if (model === undefined) return <NoModel title="Documents" name={name} />;
  if (id !== undefined)
    return (
      <OneDocument
        key={`${id} ${more ?? ''}`}
        model={model}
        id={id === newPart && more === undefined ? undefined : id}
      />
    );
  if (!isReadable(model))
    return <NoRights title={labelOfModel(model)}>You may not read documents of {labelOfModel(model)}.</NoRights>;
  return <DocumentTable key={name} model={model} />;
}
