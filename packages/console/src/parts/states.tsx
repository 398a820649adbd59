/** What a view shows while it loads, when it fails, and when there is nothing to show: each says what can be done. */
import { Anchor, Center, Group, Loader, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { statusOf } from '../api/client.ts';
import { hrefOf } from '../route.ts';
import { Failure } from './failure.tsx';
import { useTabTitle } from './tab-title.ts';

export const Waiting = () => (
  <Center p="xl">
    <Loader aria-label="Loading" role="status" />
  </Center>
);

interface EmptyParts {
  readonly children: ReactNode;
  /** Links and buttons that lead on. */
  readonly actions?: ReactNode;
}

export const Empty = ({ children, actions }: EmptyParts) => (
  <Center p="xl">
    <Stack align="center" gap="sm" maw={520}>
      <Text c="dimmed" ta="center" className="anywhere" component="div">
        {children}
      </Text>
      {actions === undefined ? null : (
        <Group gap="xs" justify="center">
          {actions}
        </Group>
      )}
    </Stack>
  </Center>
);

/** A view that has nothing to show to this caller. */
export function EmptyView({ title, ...parts }: EmptyParts & { readonly title: string }) {
  useTabTitle(title);
  return (
    <>
      <Title order={1} size="h3" className="anywhere">
        {title}
      </Title>
      <Empty {...parts} />
    </>
  );
}

const toHome = (
  <Anchor size="sm" href={hrefOf([])}>
    Home
  </Anchor>
);
const toRights = (
  <Anchor size="sm" href={hrefOf(['rights'])}>
    Your rights
  </Anchor>
);

/** An address that leads to no view. */
export const NoView = () => (
  <EmptyView title="No such view" actions={toHome}>
    There is nothing at this address. It may be mistyped, or of another version of the console.
  </EmptyView>
);

const toRightsOrHome = (
  <>
    {toRights}
    {toHome}
  </>
);

interface NoRightsParts {
  readonly title: string;
  /** What the caller may not do or see, as a sentence. */
  readonly children: ReactNode;
  /** Whether there is a role that may. */
  readonly isGranted?: boolean;
}

/** A view of what the caller may not do or see. */
export const NoRights = ({ title, children, isGranted = true }: NoRightsParts) => (
  <EmptyView title={title} actions={toRightsOrHome}>
    {children}
    {isGranted ? ' An admin of this server can give you the right.' : ''}
  </EmptyView>
);

/** A model that does not exist, or not for the caller: the server does not say which. */
export const NoModel = ({ title, name }: { readonly title: string; readonly name: string }) => (
  <EmptyView title={title} actions={toRightsOrHome}>
    There is no model “{name}” for you. It may have another name now, or you have no right to it, which an admin of this
    server can give you.
  </EmptyView>
);

interface LoadingParts<Value> {
  readonly of: { readonly data: Value | undefined; readonly error: unknown; readonly refetch: () => unknown };
  /** What is shown of what does not exist (404, 410, and 400 for an id that none can have). */
  readonly absent?: ReactNode;
  readonly children: (value: Value) => ReactNode;
}

const absentStatuses: readonly number[] = [400, 404, 410];

/** Whether a query has failed since there is no such thing. */
export const isAbsent = (error: unknown): boolean => absentStatuses.includes(statusOf(error));

/** What a query has loaded, or its state. */
export function Loaded<Value>({ of: { data, error, refetch }, absent, children }: LoadingParts<Value>) {
  if (absent !== undefined && isAbsent(error)) return <>{absent}</>;
  if (data !== undefined) return <>{children(data)}</>;
  return error === null ? <Waiting /> : <Failure error={error} retry={() => void refetch()} />;
}
