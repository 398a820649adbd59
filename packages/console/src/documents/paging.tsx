/** The pages of a list, by its cursors. */
import { Button, Group } from '@mantine/core';
import type { Page } from 'dossier-client';
import { change } from '../route.ts';

interface PagingParts {
  readonly page: Page<unknown> | undefined;
  readonly isFirst: boolean;
  /** Whether the shortcuts turn the pages; otherwise they are those of a document beside the table. */
  readonly hasKeys?: boolean;
}

export function Paging({ page, isFirst, hasKeys = true }: PagingParts) {
  if (page === undefined || (isFirst && page.next_cursor === undefined)) return null;
  const { next_cursor: next, prev_cursor: previous } = page;
  return (
    <Group justify="flex-end" mt="sm" gap="xs" role="navigation" aria-label="Pages">
      <Button
        variant="default"
        size="xs"
        disabled={isFirst}
        onClick={() => change({ after: undefined, before: undefined })}
      >
        First
      </Button>
      <Button
        variant="default"
        size="xs"
        data-key={hasKeys ? 'previous' : undefined}
        disabled={previous === undefined}
        onClick={() => change({ after: undefined, before: previous })}
      >
        Previous
      </Button>
      <Button
        variant="default"
        size="xs"
        data-key={hasKeys ? 'next' : undefined}
        disabled={next === undefined}
        onClick={() => change({ after: next, before: undefined })}
      >
        Next
      </Button>
    </Group>
  );
}
