/** The dialog of a figure, a new one or one that is changed: of which model, which number, by what, and of which documents. */
import { Button, Checkbox, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { send } from '../../api/client.ts';
import { choicesOf, labelOfModel } from '../../api/labels.ts';
import { type OwnModel, useMe } from '../../api/models.ts';
import { type Figure, type FigureView, viewsKey } from '../../api/saved-views.ts';
import { ConditionRows } from '../../documents/filter/condition-rows.tsx';
import { type Condition, conditionsOf, type Filter, filterOf } from '../../documents/filter/conditions.ts';
import { timeZone } from '../../parts/dates.ts';
import { run } from '../../parts/run.ts';
import { useText } from '../../parts/use-text.ts';
import { figureText, groupPaths, measures, numberPaths } from './figure.ts';

interface FormParts {
  /** The choices; one for a figure of a table. */
  readonly models: readonly OwnModel[];
  /** That of a table, which the dialog does not change. */
  readonly filter?: Filter;
  /** The figure that is changed; undefined for a new one. */
  readonly view?: FigureView;
  readonly close: () => void;
}

const units = ['day', 'week', 'month', 'year'] as const;
const maxTitle = 100;

const option = (value: string, label: string) => ({ value, label });
const isMeasure = (text: string): text is Figure['of'] => Object.hasOwn(measures, text);

export default function FigureForm({ models, filter, view, close }: FormParts) {
  const [name, setName] = useState(models[0]?.name ?? '');
  const model = models.find((one) => one.name === name);
  return (
    <Modal opened onClose={close} title={view === undefined ? 'Add a figure' : `Change “${view.title}”`} size="lg">
      <Stack>
        {models.length === 1 ? null : (
          <NativeSelect
            label="Of"
            data={models.map((one) => option(one.name, labelOfModel(one)))}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
        {model === undefined ? null : <OfModel key={name} {...{ model, view, close }} given={filter} />}
      </Stack>
    </Modal>
  );
}

interface OfModelParts {
  readonly model: OwnModel;
  readonly given: Filter | undefined;
  readonly view: FigureView | undefined;
  readonly close: () => void;
}

function OfModel({ model, given, view, close }: OfModelParts) {
  const { figure, inputs } = useFigureInputs(model, view?.figure);
  const conditions = conditionsOf(view?.filter ?? {});
  const [rows, setRows] = useState<readonly Condition[]>(conditions ?? []);
  const fixed = given ?? (conditions === undefined ? view?.filter : undefined);
  // a title that was derived follows the choices
  const title = useText(view === undefined || view.title === titleFor(model, view.figure) ? '' : view.title);
  const [shared, shareBox] = useShareBox(model, view);
  const save = useSave(view, close);
  const submit = (): Promise<void> => {
    const filter = fixed ?? filterOf(rows, model.fields);
    return save({ model: model.name, title: title.value.trim() || titleFor(model, figure), filter, figure, ...shared });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        run(submit, view === undefined ? 'The figure is on the home page.' : 'The figure is changed.');
      }}
    >
      <Stack>
        {inputs}
        {fixed === undefined ? (
          <ConditionRows model={model} rows={rows} setRows={setRows} />
        ) : (
          <Text size="sm">
            {given === undefined
              ? 'Of the documents of its filter, which the form cannot show, and which stays.'
              : 'Of the documents that the table shows now, by its filter.'}
          </Text>
        )}
        <TextInput label="Title" maxLength={maxTitle} placeholder={titleFor(model, figure)} {...title.input} />
        {shareBox}
        <Group justify="flex-end">
          <Button type="submit">{view === undefined ? 'Add' : 'Save'}</Button>
        </Group>
      </Stack>
    </form>
  );
}

const titleFor = (model: OwnModel, figure: Figure): string => figureText(model, figure).slice(0, maxTitle);

/** @returns a function that makes the figure, or changes it, and closes the dialog */
function useSave(view: FigureView | undefined, close: () => void): (body: object) => Promise<void> {
  const queries = useQueryClient();
  return async (body) => {
    await (view === undefined ? send('POST', '/views', body) : send('PUT', `/views/${view.id}`, body));
    await queries.invalidateQueries({ queryKey: viewsKey });
    close();
  };
}

/** The box that shares a figure, for those who may. @returns what is sent of it, and the box */
function useShareBox(model: OwnModel, view: FigureView | undefined): [{ readonly shared?: boolean }, ReactNode] {
  const isAdmin = useMe().data?.user.admin === true;
  const before = view?.shared === true;
  const [isShared, setShared] = useState(before);
  const { c, u } = model.rights.rows;
  const mayShare = isAdmin || c !== 'none' || u !== 'none' || before;
  const box = mayShare ? (
    <Checkbox
      label="Share with all who may read these documents"
      description="Each of them sees the numbers of the documents that they may read."
      checked={isShared}
      onChange={({ currentTarget }) => setShared(currentTarget.checked)}
    />
  ) : null;
  return [isShared === before ? {} : { shared: isShared }, box];
}

const none: Figure = { of: 'count', path: null, by: null, unit: null, zone: null };

/** The parts of a figure, and the inputs that choose them. @param first those of a figure that is changed */
function useFigureInputs(model: OwnModel, first = none) {
  const [numbers, groups] = [numberPaths(model), groupPaths(model)];
  const [of, setOf] = useState<Figure['of']>(first.of);
  // a field may have gone since
  const [chosenPath, setPath] = useState(numbers.find((path) => path === first.path) ?? '');
  const [by, setBy] = useState(groups.find((path) => path === first.by) ?? '');
  const [unit, setUnit] = useState(first.unit ?? 'month');
  const zone = first.zone ?? timeZone();
  const path = of === 'count' ? null : chosenPath || (numbers[0] ?? null);
  const isDate = by !== '' && model.fields[by]?.input === 'date';
  const figure: Figure = {
    ...{ of, path, by: by || null },
    ...(isDate ? { unit, zone } : { unit: null, zone: null }),
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
          description={`Days begin in the time zone ${zone}, for all who see the figure.`}
          data={units.map((value) => option(value, value))}
          value={unit}
          onChange={({ currentTarget: { value } }) => setUnit(units.find((one) => one === value) ?? 'month')}
        />
      ) : null}
    </>
  );
  return { figure, inputs };
}
