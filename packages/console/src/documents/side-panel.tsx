/** A document beside its table, with the way to the next and the previous one. On a narrow screen it is shown in the place of the table. */
import { ActionIcon, Anchor, Group, Text } from '@mantine/core';
import { useMediaQuery, useWindowEvent } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import type { Id } from '../api/fields.ts';
import type { OwnModel } from '../api/models.ts';
import { icons, iconSize } from '../parts/icons.tsx';
import { Waiting } from '../parts/states.tsx';
import { change, documentPath, hrefOf } from '../route.ts';

const OneDocument = lazy(() => import('../document/index.tsx'));

/** As in `style.css`. */
const wide = '(min-width: 75em)';

interface PanelParts {
  readonly model: OwnModel;
  readonly id: string;
  /** The documents of the page, in the order of the table. */
  readonly ids: readonly Id[];
}

const close = (): void => change({ open: undefined, tab: undefined });

export function SidePanel({ model, id, ids }: PanelParts) {
  const isWide = useMediaQuery(wide, undefined, { getInitialValueInEffect: false });
  const panel = usePanelFocus(id);
  useWindowEvent('keydown', (event) => {
    if (event.key === 'Escape' && isForPanel(event)) close();
  });
  return (
    <section className="panel" ref={panel} tabIndex={-1} aria-label="Document">
      <Steps {...{ model, id, ids }} />
      <Suspense fallback={<Waiting />}>
        <OneDocument key={id} {...{ model, id }} beside={{ close, isAlone: !isWide }} />
      </Suspense>
    </section>
  );
}

/** Whether a key is not for an input, a menu or a dialog. */
const isForPanel = ({ target, defaultPrevented }: KeyboardEvent): boolean =>
  !defaultPrevented &&
  target instanceof Element &&
  target.closest(
    'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], [aria-expanded="true"]',
  ) === null;

/** Moves the focus to the panel where it would be lost, and the row of its document into sight. */
function usePanelFocus(id: string) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    rowOf(id)?.scrollIntoView({ block: 'nearest' });
    if (panel.current?.contains(document.activeElement) !== true) panel.current?.focus({ preventScroll: true });
  }, [id]);
  return panel;
}

/** The link of a document in the table. */
export const rowOf = (id: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);

function Steps({ model, id, ids }: PanelParts) {
  const at = ids.findIndex((one) => String(one) === id);
  const step = (name: string, sign: ReactNode, key: string, to: Id | undefined) => (
    <ActionIcon
      variant="default"
      aria-label={`${name} document`}
      data-key={key}
      disabled={to === undefined}
      onClick={() => change({ open: String(to) })}
    >
      {sign}
    </ActionIcon>
  );
  return (
    <Group justify="space-between" wrap="nowrap" mb="sm" className="way">
      <Group gap="xs" wrap="nowrap">
        {step('Previous', <icons.up size={iconSize} />, 'previous', at < 0 ? undefined : ids[at - 1])}
        {step('Next', <icons.down size={iconSize} />, 'next', at < 0 ? undefined : ids[at + 1])}
        {at < 0 ? null : (
          <Text size="sm" c="dimmed">
            {at + 1} of {ids.length}
          </Text>
        )}
      </Group>
      <Group gap="sm" wrap="nowrap">
        <Anchor href={hrefOf(documentPath(model.name, id))} size="sm">
          Open as page
        </Anchor>
        <ActionIcon variant="default" aria-label="Close the document" onClick={close}>
          <icons.remove size={iconSize} />
        </ActionIcon>
      </Group>
    </Group>
  );
}
