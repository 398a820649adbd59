/** What models, their functions and events, and users are called on the screen. */
import { useQuery } from '@tanstack/react-query';
import { client } from './client.ts';
import { titleOf } from './fields.ts';
import { labelOfModel } from './labels.ts';
import { isReadable, useMe, useModels } from './models.ts';

/** The events of documents in words, by their names in requests. */
export const eventWords: Readonly<Record<string, string>> = { post: 'created', put: 'changed', del: 'deleted' };

/** What the letters of rights permit. */
export const verbs: Readonly<Record<string, string>> = { c: 'create', r: 'read', u: 'change', d: 'delete' };

/**
 * @returns functions that name a model by its label; and what belongs to one by that and the rest, such as “Films: tidy” for `film.tidy`, or
 * the name as it is where no model begins it
 */
export function useModelNames() {
  const models = useModels().data;
  const ofModel = (name: string): string => labelOfModel(models?.get(name) ?? { name });
  const ofMember = (name: string): string => {
    const end = name.indexOf('.');
    return models?.has(name.slice(0, end)) === true ? `${ofModel(name.slice(0, end))}: ${name.slice(end + 1)}` : name;
  };
  return { ofModel, ofMember };
}

/** @returns a function that names a user: by name or email, by the id where the caller may not read the user */
export function useNames(ids: readonly (string | null)[]): (id: string | null) => string {
  const me = useMe().data;
  const users = useModels().data?.get('user');
  const wanted = [...new Set(ids.filter((id) => id !== null))].sort();
  const names = useQuery({
    queryKey: ['names', wanted],
    enabled: isReadable(users) && wanted.length > 0,
    queryFn: async ({ signal }) => {
      const filter = { _id: { $in: wanted } };
      const { data } = await client.model('user').list({ filter, showDeleted: true, limit: wanted.length, signal });
      return new Map(data.map((user) => [user._id, titleOf(user, users)]));
    },
    placeholderData: (before) => before,
  }).data;
  return (id) => {
    if (id === null) return 'The server';
    return names?.get(id) ?? (id === me?.user._id ? (me.user.name ?? me.login ?? me.user.email) : id);
  };
}
