/** Buttons that build and drop an index. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { run } from '../../parts/run.ts';
import { type IndexKey, keyText } from './index-key.ts';

/** What the server has done with an index. */
const outcomes = {
  built: 'The index is built. Add it to the model file too, so that other databases of the application have it.',
  present: 'The index is there already.',
  dropped: 'The index is dropped.',
} as const;

interface Changed {
  readonly data: { readonly outcome: keyof typeof outcomes };
}

/** @returns whether a change is under way, and what sends one, reports its outcome, and reads again what is shown */
function useChange(): readonly [isBusy: boolean, change: (body: object) => void] {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const change = async (body: object): Promise<void> => {
    setBusy(true);
    try {
      const { data } = await send<Changed>('POST', '/server/indexes', body);
      notifications.show({ message: outcomes[data.outcome] });
      await queries.invalidateQueries({ queryKey: ['data'] });
    } finally {
      setBusy(false);
    }
  };
  return [isBusy, (body) => run(() => change(body))];
}

interface BuildParts {
  readonly model: string;
  readonly index: IndexKey;
}

export function BuildIndex({ model, index }: BuildParts) {
  const [isBusy, change] = useChange();
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={isBusy}
      aria-label={`Build: ${keyText(index)} of ${model}`}
      onClick={() => change({ model, index })}
    >
      Build
    </Button>
  );
}

export function DropIndex({ model, name }: Readonly<Record<'model' | 'name', string>>) {
  const [isBusy, change] = useChange();
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        loading={isBusy}
        aria-label={`Drop: ${name} of ${model}`}
        onClick={open}
      >
        Drop
      </Button>
      <Confirm
        isOpen={isOpen}
        close={close}
        title="Drop the index"
        action="Drop"
        act={() => change({ model, drop: name })}
      >
        <span className="anywhere">
          {name} of {model} is dropped. Reads that need it take longer from then on, until it is built again.
        </span>
      </Confirm>
    </>
  );
}
