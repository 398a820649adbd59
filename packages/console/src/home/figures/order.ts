/** The order of figures, which the server keeps for each user. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { send } from '../../api/client.ts';
import { type SavedView, viewsKey } from '../../api/saved-views.ts';
import { showFailure } from '../../parts/run.ts';

/** Those with a place first, in their order; the others as they are. */
export function inOrder<One extends Pick<SavedView, 'place'>>(all: readonly One[]): One[] {
  const placeOf = ({ place }: One): number => place ?? all.length + maxPlace;
  return all.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** No place is as high: a list of places is shorter. */
const maxPlace = 1_000_000;

/** Views with the places that a list of ids gives them. */
function placed(views: readonly SavedView[], ids: readonly string[]): SavedView[] {
  const places = new Map(ids.map((id, place) => [id, place]));
  return views.map((view) => ({ ...view, place: places.get(view.id) ?? null }));
}

/** @returns a function that gives the figures an order: it is shown at once, and sent behind the one before */
export function useOrdering(): (ids: readonly string[]) => void {
  const queries = useQueryClient();
  const { mutate } = useMutation({
    scope: { id: 'order of figures' },
    networkMode: 'always',
    mutationFn: (order: readonly string[]) => send('PUT', '/views', { order }),
    // as it is at the server
    onError: (error) => {
      showFailure(error);
      void queries.invalidateQueries({ queryKey: viewsKey });
    },
  });
  return (ids) => {
    // what is being read may be of before
    void queries.cancelQueries({ queryKey: viewsKey });
    queries.setQueryData<readonly SavedView[]>(viewsKey, (views) => views && placed(views, ids));
    mutate(ids);
  };
}
