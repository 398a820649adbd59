/** The documents that the links of a file's first rows name. */
import { useQuery } from '@tanstack/react-query';
import { type OwnModel, useModels } from '../api/models.ts';
import type { Plan } from './columns.ts';
import { LinkTitles } from './link-titles.ts';
import type { Sample } from './sample.ts';

export interface FoundLinks {
  readonly links: LinkTitles | undefined;
  readonly error: unknown;
}

export function useLinks(model: OwnModel, sample: Sample | undefined, plan: Plan): FoundLinks {
  const models = useModels().data;
  const { file, records = [] } = sample ?? {};
  const { data, error } = useQuery({
    queryKey: ['links of a file', model.name, file?.name, file?.lastModified, file?.size, plan.mapping],
    enabled: file !== undefined && models !== undefined,
    queryFn: async () => {
      const links = new LinkTitles(models ?? new Map());
      await links.load(records, model, plan);
      return links;
    },
    // a file of the same name may have changed, and so may the documents
    gcTime: 0,
    staleTime: Infinity,
    // it has methods
    structuralSharing: false,
  });
  return { links: data, error: error ?? undefined };
}
