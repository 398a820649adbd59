/** The reference of a model: what its description says, for people who write programs. */
import { Anchor, Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { apiUrl } from '../api/client.ts';
import { callablesOf } from '../api/functions.ts';
import { labelOf, labelOfModel } from '../api/labels.ts';
import { isReadable, type OwnModel } from '../api/models.ts';
import { SimpleTable } from '../parts/simple-table.tsx';
import { useTabTitle } from '../parts/tab-title.ts';
import { hrefOf } from '../route.ts';
import { Examples } from './example-requests.tsx';
import { fieldRightsText, indexRules, indexText, letterText, rightsText, rulesText, typeText } from './words.ts';

type Models = ReadonlyMap<string, OwnModel>;

interface ModelParts {
  readonly model: OwnModel;
  readonly models: Models;
}

export function ModelReference({ model, models }: ModelParts) {
  const { name, description, collection, kinds, history } = model;
  useTabTitle(labelOfModel(model), 'Model reference');
  return (
    <Stack gap="lg">
      <div>
        <Group justify="space-between">
          <Title order={1} size="h3" className="anywhere">
            {labelOfModel(model)}
          </Title>
          <Ways model={model} />
        </Group>
        {description === undefined ? null : <Text className="anywhere">{description}</Text>}
        <Text size="sm" c="dimmed" mt="xs" className="anywhere">
          At <Code>/api/{name}</Code>, in the collection <Code>{collection}</Code>.
          {kinds === undefined ? '' : ` Its kinds are in ${kinds.key}: ${kinds.values.map(String).join(', ')}.`}
          {history === true ? ' It keeps the history of its documents.' : ''}
        </Text>
      </div>
      <Section title="Your rights">
        <Text size="sm">{rightsText(model.rights)}</Text>
      </Section>
      <Section title="Fields">
        <Fields model={model} models={models} />
      </Section>
      <LinksHere model={model} models={models} />
      <Indexes model={model} />
      <Functions model={model} />
      {isReadable(model) ? <Events model={model} /> : null}
      <Section title="Examples">
        <Examples model={model} url={apiUrl} />
      </Section>
    </Stack>
  );
}

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section>
    <Title order={2} size="h4" mb="xs">
      {title}
    </Title>
    {children}
  </section>
);

/** Where the model is shown otherwise. */
const Ways = ({ model }: { readonly model: OwnModel }) => (
  <Group gap="xs">
    {isReadable(model) ? (
      <Button component="a" href={hrefOf(['documents', model.name])} size="xs">
        Open the table
      </Button>
    ) : null}
    <Button component="a" href={hrefOf(['rights'], { model: model.name })} size="xs" variant="default">
      Rights
    </Button>
    <Button component="a" href={`${apiUrl}/docs/api#/${encodeURIComponent(model.name)}`} size="xs" variant="default">
      OpenAPI
    </Button>
  </Group>
);

const Wrapped = ({ children }: { readonly children: ReactNode }) => (
  <Text size="sm" className="anywhere" component="span">
    {children}
  </Text>
);

/** The name of a model; a link where the caller may see it. */
const ModelLink = ({ name, models }: { readonly name: string; readonly models: Models }) => {
  const model = models.get(name);
  return model === undefined ? (
    name
  ) : (
    <Anchor size="sm" href={hrefOf(['reference', name])}>
      {labelOfModel(model)}
    </Anchor>
  );
};

function Fields({ model, models }: ModelParts) {
  return (
    <SimpleTable
      label="Fields"
      heads={['Field', 'Path', 'Type', 'Links to', 'Rules', 'You may']}
      rows={Object.entries(model.fields).map(([path, field]) => [
        <Wrapped key="label">
          {labelOf(model, path)}
          {field.description === undefined ? null : (
            <Text size="xs" c="dimmed" component="span" display="block">
              {field.description}
            </Text>
          )}
        </Wrapped>,
        <Code key="path">{path}</Code>,
        typeText(field),
        field.link === undefined ? '' : <ModelLink key="link" name={field.link} models={models} />,
        <Wrapped key="rules">{rulesText(field)}</Wrapped>,
        fieldRightsText(model.rights.fields[path]),
      ])}
    />
  );
}

/** The links of other models to this one. */
function LinksHere({ model, models }: ModelParts) {
  const links = [...models.values()].flatMap((other) =>
    Object.entries(other.fields)
      .filter(([, { link }]) => link === model.name)
      .map(([path]) => ({ other, path })),
  );
  if (links.length === 0) return null;
  const shownAs = (name: string, path: string): string =>
    Object.entries(model.reverses ?? {}).find(([, one]) => one.model === name && one.path === path)?.[0] ?? '';
  return (
    <Section title="Links here">
      <SimpleTable
        label="Links here"
        heads={['Model', 'Field', 'Path', 'Shown as']}
        rows={links.map(({ other, path }) => [
          <ModelLink key="model" name={other.name} models={models} />,
          labelOf(other, path),
          <Code key="path">{path}</Code>,
          shownAs(other.name, path),
        ])}
      />
    </Section>
  );
}

const Indexes = ({ model: { indexes } }: { readonly model: OwnModel }) =>
  indexes.length === 0 ? null : (
    <Section title="Indexes">
      <SimpleTable
        label="Indexes"
        heads={['Paths', 'Rules']}
        rows={indexes.map((index) => [<Wrapped key="paths">{indexText(index)}</Wrapped>, indexRules(index)])}
      />
    </Section>
  );

function Functions({ model }: { readonly model: OwnModel }) {
  const functions = Object.entries(model.callable_statics);
  if (functions.length === 0) return null;
  const callable = new Set(callablesOf([model]).map(({ name }) => name));
  return (
    <Section title="Functions">
      <SimpleTable
        label="Functions"
        heads={['Function', 'Called on', 'Needs the right to']}
        rows={functions.map(([name, rule]) => [
          callable.has(name) ? (
            <Anchor key="name" size="sm" href={hrefOf(['functions'], { function: `${model.name}.${name}` })}>
              {name}
            </Anchor>
          ) : (
            name
          ),
          typeof rule === 'string' ? 'a document, or the model' : rule.on === 'document' ? 'a document' : 'the model',
          letterText(typeof rule === 'string' ? rule : rule.needs),
        ])}
      />
    </Section>
  );
}

const Events = ({ model }: { readonly model: OwnModel }) => (
  <Section title="Events">
    <SimpleTable
      label="Events"
      heads={['Event', 'When']}
      rows={[
        ['post', 'a document is created or restored'],
        ['put', 'a document is changed'],
        ['del', 'a document is deleted, or you may not read it any longer'],
      ]}
    />
    <Text size="sm" mt="xs">
      Programs receive them at <Code>/events/{model.name}</Code> and by WebSocket, people in{' '}
      <Anchor size="sm" underline="always" href={hrefOf(['live'])}>
        Live
      </Anchor>
      .
    </Text>
  </Section>
);
