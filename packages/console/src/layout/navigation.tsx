/** The models that the caller may read, and the views of everything else that the caller may use. */
import { Box, NavLink, Text, TextInput } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { apiUrl } from '../api/client.ts';
import { countsKey, type ModelCount, useAfterWrites, useCounts } from '../api/counts.ts';
import { callablesOf } from '../api/functions.ts';
import { groupsOf, iconOf, labelOfModel } from '../api/labels.ts';
import { isReadable, type OwnModel, useMe } from '../api/models.ts';
import { figuresKey } from '../api/saved-views.ts';
import { countText, shortCount } from '../parts/count.ts';
import { iconSize, ModelIcon, viewIcons } from '../parts/icons.tsx';
import { hrefOf, usePlace } from '../route.ts';

interface Entry {
  readonly icon: ReactNode;
  readonly label: string;
  /** The number of documents of a model. */
  readonly count?: ModelCount | undefined;
  readonly path: readonly string[];
}

/** The model of users, for which admins have a view. */
const users = 'user';

/** Views besides those of documents. */
function toolsFor(models: readonly OwnModel[], isAdmin: boolean): Entry[] {
  const any = (test: (model: OwnModel) => boolean): boolean => models.some(test);
  const entry = (label: string, name: string, isOffered: boolean): Entry[] =>
    isOffered ? [{ icon: <ViewIcon name={name} />, label, path: [name] }] : [];
  return [
    ...entry('Live', 'live', any(isReadable)),
    ...entry('Queries', 'queries', any(mayQuery)),
    ...entry('Functions', 'functions', callablesOf(models).length > 0),
    ...entry('Rights', 'rights', models.length > 0),
    ...entry('Users', 'users', isAdmin),
    ...entry('Audit', 'audit', isAdmin),
    ...entry('Webhooks', 'webhooks', isAdmin),
    ...entry('Schedules', 'schedules', isAdmin),
    ...entry('Jobs', 'jobs', isAdmin),
    ...entry('Server', 'server', isAdmin),
  ];
}

function ViewIcon({ name }: { readonly name: string }) {
  const Icon = viewIcons[name];
  return Icon === undefined ? null : <Icon size={iconSize} />;
}

const mayQuery = (model: OwnModel): boolean =>
  isReadable(model) && (model.advanced_queries.query || model.advanced_queries.aggregate);

export function Navigation({ models }: { readonly models: readonly OwnModel[] }) {
  const isAdmin = useMe().data?.user.admin === true;
  const counts = useCounts();
  useAfterWrites(countsKey);
  useAfterWrites(figuresKey);
  const [sought, setSought] = useState('');
  // the view of users leads admins to the table
  const readable = models.filter(
    (model) => isReadable(model) && model.hidden !== true && !(isAdmin && model.name === users),
  );
  const wanted = sought.toLowerCase();
  const found = readable.filter((model) =>
    [model.name, labelOfModel(model)].some((text) => text.toLowerCase().includes(wanted)),
  );
  return (
    <Box component="nav" aria-label="Models and tools" p="xs">
      {readable.length > 10 ? (
        <TextInput
          size="xs"
          mb="xs"
          aria-label="Find a model"
          placeholder="Find a model"
          value={sought}
          onChange={({ currentTarget }) => setSought(currentTarget.value)}
        />
      ) : null}
      {groupsOf(found).map(([group, members]) => (
        <Fragment key={group}>
          <Heading>{group === '' ? 'Models' : group}</Heading>
          {members.map((model) => (
            <Entry
              key={model.name}
              icon={<ModelIcon name={model.name} icon={model.icon} short={iconOf(model)} />}
              label={labelOfModel(model)}
              count={counts.get(model.name)}
              path={['documents', model.name]}
            />
          ))}
        </Fragment>
      ))}
      <Heading>Tools</Heading>
      {toolsFor(models, isAdmin).map((entry) => (
        <Entry key={entry.label} {...entry} />
      ))}
      <Heading>Documentation</Heading>
      <Entry icon={<ViewIcon name="reference" />} label="Model reference" path={['reference']} />
      <NavLink href={`${apiUrl}/docs`} label="Guides" leftSection={<ViewIcon name="guides" />} py={6} />
      <NavLink href={`${apiUrl}/docs/api`} label="OpenAPI" leftSection={<ViewIcon name="openapi" />} py={6} />
    </Box>
  );
}

const Heading = ({ children }: { readonly children: string }) => (
  <Text size="xs" fw={700} c="dimmed" px="xs" pt="xs" component="h2">
    {children}
  </Text>
);

function Entry({ icon, label, path, count }: Entry) {
  const place = usePlace().path;
  const isAt = (other: readonly string[]): boolean => other.every((part, at) => place[at] === part);
  const isActive = isAt(path) || (path[0] === 'users' && isAt(['documents', users]));
  return (
    <NavLink
      href={hrefOf(path)}
      label={label}
      leftSection={icon}
      rightSection={count === undefined ? undefined : <Count of={count} />}
      aria-description={count === undefined ? undefined : countText(count)}
      active={isActive}
      aria-current={isActive ? 'page' : undefined}
      variant="filled"
      py={6}
    />
  );
}

/** The description of the link has the count for those who do not see it. */
const Count = ({ of }: { readonly of: ModelCount }) => (
  <Text size="xs" component="span" aria-hidden>
    {shortCount(of)}
  </Text>
);
