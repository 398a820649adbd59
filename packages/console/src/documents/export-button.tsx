/** Opens the export of a table, which is loaded with it. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import type { ExportParts } from './export/index.tsx';

const ExportDialog = lazy(() => import('./export/index.tsx'));

export function ExportButton(parts: ExportParts) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        Export
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <ExportDialog {...parts} close={close} />
        </Suspense>
      ) : null}
    </>
  );
}
