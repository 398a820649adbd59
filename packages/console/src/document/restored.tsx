/** Shows that a form has edits that were kept of it. */
import { Alert, Button, Group } from '@mantine/core';

export const Restored = ({ discard }: { readonly discard: () => void }) => (
  <Alert color="blue" variant="outline" mb="md" role="status">
    <Group justify="space-between">
      Your changes that are not saved yet are here again.
      <Button size="xs" variant="default" onClick={discard}>
        Discard them
      </Button>
    </Group>
  </Alert>
);
