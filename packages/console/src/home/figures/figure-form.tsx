/** The dialog of a new figure: of which model, which number, by what, and of which documents. */
import { Button, Checkbox, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../../api/client.ts';
import { choicesOf, labelOfModel } from '../../api/labels.ts';
import { type OwnModel, useMe } from '../../api/models.ts';
import { type Figure, viewsKey } from '../../api/saved-views.ts';
import { ConditionRows } from '../../documents/filter/condition-rows.tsx';
import { type Condition, type Filter, filterOf } from '../../documents/filter/conditions.ts';
import { timeZone } from '../../parts/dates.ts';
import { run } from '../../parts/run.ts';
import { useText } from '../../parts/use-text.ts';
import { figureText, groupPaths, measures, numberPaths } from './figure.ts';

interface FormParts {
  /** The choices; one for a figure of a table. */
  readonly models: readonly OwnModel[];
  /** That of a table, which the dialog does not change. */
  readonly filter?: Filter;
  readonly close: () => void;
}

const units = ['day', 'week', 'month', 'year'] as const;
const maxTitle = 100;

const option = (value: string, label: string) => ({ value, label });
const isMeasure = (text: string): text is Figure['of'] => Object.hasOwn(measures, text);

export default function FigureForm({ models, filter, close }: FormParts) {
  const [name, setName] = useState(models[0]?.name ?? '');
  const model = models.find((one) => one.name === name);
  return (
    <Modal opened onClose={close} title="Add a figure" size="lg">
      <Stack>
        {models.length === 1 ? null : (
          <NativeSelect
            label="Of"
            data={models.map((one) => option(one.name, labelOfModel(one)))}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
        {model === undefined ? null : <OfModel key={name} {...{ model, close }} given={filter} />}
      </Stack>
    </Modal>
  );
}

interface OfModelParts {
  readonly model: OwnModel;
  readonly given: Filter | undefined;
  readonly close: () => void;
}

function OfModel({ model, given, close }: OfModelParts) {
  const queries = useQueryClient();
  const isAdmin = useMe().data?.user.admin === true;
  const { figure, inputs } = useFigureInputs(model);
  const [rows, setRows] = useState<readonly Condition[]>([]);
  const [isShared, setShared] = useState(false);
  const title = useText();
  const { c, u } = model.rights.rows;
  const submit = async (): Promise<void> => {
    const filter = given ?? filterOf(rows, model.fields);
    const called = title.value.trim() || figureText(model, figure).slice(0, maxTitle);
    await send('POST', '/views', { model: model.name, title: called, filter, figure, shared: isShared });
    await queries.invalidateQueries({ queryKey: viewsKey });
    close();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        run(submit, 'The figure is on the home page.');
      }}
    >
      <Stack>
        {inputs}
        {given === undefined ? (
          <ConditionRows model={model} rows={rows} setRows={setRows} />
        ) : (
          <Text size="sm">Of the documents that the table shows now, by its filter.</Text>
        )}
        <TextInput label="Title" maxLength={maxTitle} placeholder={figureText(model, figure)} {...title.input} />
        {isAdmin || c !== 'none' || u !== 'none' ? (
          <Checkbox
            label="Share with all who may read these documents"
            description="Each of them sees the numbers of the documents that they may read."
            checked={isShared}
            onChange={({ currentTarget }) => setShared(currentTarget.checked)}
          />
        ) : null}
        <Group justify="flex-end">
          <Button type="submit">Add</Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The parts of a figure, and the inputs that choose them. */
function useFigureInputs(model: OwnModel) {
  const [of, setOf] = useState<Figure['of']>('count');
  const [chosenPath, setPath] = useState('');
  const [by, setBy] = useState('');
  const [unit, setUnit] = useState<(typeof units)[number]>('month');
  const [numbers, groups] = [numberPaths(model), groupPaths(model)];
  const path = of === 'count' ? null : chosenPath || (numbers[0] ?? null);
  const isDate = by !== '' && model.fields[by]?.input === 'date';
  const figure: Figure = {
    ...{ of, path, by: by || null },
    ...(isDate ? { unit, zone: timeZone() } : { unit: null, zone: null }),
  };
  const offered = Object.entries(measures).filter(([value]) => value === 'count' || numbers.length > 0);
  const inputs = (
    <>
      <NativeSelect
        label="Show"
        data={offered.map(([value, label]) => option(value, value === 'count' ? 'Number of documents' : label))}
        value={of}
        onChange={({ currentTarget: { value } }) => (isMeasure(value) ? setOf(value) : undefined)}
      />
      {of === 'count' ? null : (
        <NativeSelect
          label="Of the field"
          data={choicesOf(model, numbers)}
          value={path ?? ''}
          onChange={({ currentTarget }) => setPath(currentTarget.value)}
        />
      )}
      <NativeSelect
        label="By"
        data={[option('', 'Nothing: one number'), ...choicesOf(model, groups)]}
        value={by}
        onChange={({ currentTarget }) => setBy(currentTarget.value)}
      />
      {isDate ? (
        <NativeSelect
          label="For each"
          description={`Days begin in the time zone ${timeZone()}, for all who see the figure.`}
          data={units.map((value) => option(value, value))}
          value={unit}
          onChange={({ currentTarget: { value } }) => setUnit(units.find((one) => one === value) ?? 'month')}
        />
      ) : null}
    </>
  );
  return { figure, inputs };
}
