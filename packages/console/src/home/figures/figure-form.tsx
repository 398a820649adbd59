/** The dialog of a figure, a new one or one that is changed: of which model, which number, by what, and of which documents. */
import { Button, Checkbox, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { send } from '../../api/client.ts';
import { choicesOf, labelOfModel } from '../../api/labels.ts';
import { type OwnModel, useMe } from '../../api/models.ts';
import { type Figure, type FigureView, viewsKey } from '../../api/saved-views.ts';
import { ConditionRows } from '../../documents/filter/condition-rows.tsx';
import { type Condition, conditionsOf, type Filter, filterOf } from '../../documents/filter/conditions.ts';
import { timeZone } from '../../parts/dates.ts';
import { run } from '../../parts/run.ts';
import { useDialogForm } from '../../parts/use-form.tsx';
import { figureText, groupPaths, measures, numberPaths } from './figure.ts';

interface FormParts {
  /** The key of the draft. */
  readonly draft: string;
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
type FigureInputs = ReturnType<typeof useDialogForm<FigureValues>>;

const isMeasure = (text: string): text is Figure['of'] => Object.hasOwn(measures, text);

/** What the person has chosen and typed. */
interface FigureValues {
  readonly name: string;
  readonly of: Figure['of'];
  readonly path: string;
  readonly by: string;
  readonly unit: NonNullable<Figure['unit']>;
  readonly rows: readonly Condition[];
  readonly title: string;
  readonly isShared: boolean;
}

/** The values of a new figure of a model, or of one that is changed. A field may have gone since. */
function valuesOf(model: OwnModel | undefined, view: FigureView | undefined): FigureValues {
  const { figure } = view ?? {};
  const [numbers, groups] = model === undefined ? [[], []] : [numberPaths(model), groupPaths(model)];
  // a title that was derived follows the choices
  const isDerived = model === undefined || view === undefined || view.title === titleFor(model, view.figure);
  return {
    name: model?.name ?? '',
    of: figure?.of ?? 'count',
    path: numbers.find((path) => path === figure?.path) ?? '',
    by: groups.find((path) => path === figure?.by) ?? '',
    unit: figure?.unit ?? 'month',
    rows: conditionsOf(view?.filter ?? {}) ?? [],
    title: isDerived ? '' : view.title,
    isShared: view?.shared === true,
  };
}

export default function FigureForm({ draft, models, filter, view, close }: FormParts) {
  const form = useDialogForm(draft, valuesOf(models[0], view));
  // one may have gone since
  const model = models.find((one) => one.name === form.values.name) ?? models[0];
  const choose = (name: string): void =>
    form.set(
      valuesOf(
        models.find((one) => one.name === name),
        view,
      ),
    );
  return (
    <Modal opened onClose={close} title={view === undefined ? 'Add a figure' : `Change “${view.title}”`} size="lg">
      {form.notice}
      <Stack>
        {models.length === 1 ? null : (
          <NativeSelect
            label="Of"
            data={models.map((one) => option(one.name, labelOfModel(one)))}
            value={model?.name}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          />
        )}
        {model === undefined ? null : <OfModel key={model.name} {...{ form, model, view, close }} given={filter} />}
      </Stack>
    </Modal>
  );
}

interface OfModelParts {
  readonly form: FigureInputs;
  readonly model: OwnModel;
  readonly given: Filter | undefined;
  readonly view: FigureView | undefined;
  readonly close: () => void;
}

function OfModel({ form, model, given, view, close }: OfModelParts) {
  const { figure, inputs } = figureInputs(form, model, view?.figure.zone ?? timeZone());
  const { rows, title } = form.values;
  const fixed = given ?? (conditionsOf(view?.filter ?? {}) === undefined ? view?.filter : undefined);
  const [shared, shareBox] = useShareBox(form, model, view);
  const save = useSave(view, close);
  const submit = (): Promise<void> => {
    const filter = fixed ?? filterOf(rows, model.fields);
    return save({ model: model.name, title: title.trim() || titleFor(model, figure), filter, figure, ...shared });
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
          <ConditionRows model={model} rows={rows} setRows={(next) => form.set({ rows: next })} />
        ) : (
          <Text size="sm">
            {given === undefined
              ? 'Of the documents of its filter, which the form cannot show, and which stays.'
              : 'Of the documents that the table shows now, by its filter.'}
          </Text>
        )}
        <TextInput label="Title" maxLength={maxTitle} placeholder={titleFor(model, figure)} {...form.input('title')} />
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
function useShareBox(
  { values: { isShared }, set }: FigureInputs,
  model: OwnModel,
  view: FigureView | undefined,
): [{ readonly shared?: boolean }, ReactNode] {
  const isAdmin = useMe().data?.user.admin === true;
  const before = view?.shared === true;
  const { c, u } = model.rights.rows;
  const mayShare = isAdmin || c !== 'none' || u !== 'none' || before;
  const box = mayShare ? (
    <Checkbox
      label="Share with all who may read these documents"
      description="Each of them sees the numbers of the documents that they may read."
      checked={isShared}
      onChange={({ currentTarget }) => set({ isShared: currentTarget.checked })}
    />
  ) : null;
  return [isShared === before ? {} : { shared: isShared }, box];
}

/** The parts of a figure, and the inputs that choose them. @param zone in which its days begin */
function figureInputs({ values: { of, unit, ...values }, set }: FigureInputs, model: OwnModel, zone: string) {
  const [numbers, groups] = [numberPaths(model), groupPaths(model)];
  const path = of === 'count' ? null : (numbers.find((one) => one === values.path) ?? numbers[0] ?? null);
  const by = groups.find((one) => one === values.by) ?? '';
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
        onChange={({ currentTarget: { value } }) => (isMeasure(value) ? set({ of: value }) : undefined)}
      />
      {of === 'count' ? null : (
        <NativeSelect
          label="Of the field"
          data={choicesOf(model, numbers)}
          value={path ?? ''}
          onChange={({ currentTarget }) => set({ path: currentTarget.value })}
        />
      )}
      <NativeSelect
        label="By"
        data={[option('', 'Nothing: one number'), ...choicesOf(model, groups)]}
        value={by}
        onChange={({ currentTarget }) => set({ by: currentTarget.value })}
      />
      {isDate ? (
        <NativeSelect
          label="For each"
          description={`Days begin in the time zone ${zone}, for all who see the figure.`}
          data={units.map((value) => option(value, value))}
          value={unit}
          onChange={({ currentTarget: { value } }) => set({ unit: units.find((one) => one === value) ?? 'month' })}
        />
      ) : null}
    </>
  );
  return { figure, inputs };
}
