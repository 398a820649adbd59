/** An input for a link: documents of the linked model are found by their title. */
import { labelOfModel } from '../../api/labels.ts';
import { useModel } from '../../api/models.ts';
import { Picker } from '../../parts/picker.tsx';
import { describedBy, type InputParts } from './input-parts.ts';

interface LinkParts extends InputParts {
  /** The model that is linked to. */
  readonly link: string;
  readonly hint?: string | undefined;
}

export function LinkInput({ label, hint, value, set, fault, disabled, field, link }: LinkParts) {
  const model = useModel(link) ?? { name: link };
  return (
    <Picker
      model={link}
      label={label}
      hint={describedBy(field, hint ?? `Links to ${labelOfModel(model)}`)}
      value={value}
      set={(id) => set(id !== null && field.input === 'number' ? Number(id) : id)}
      error={fault}
      isRequired={field.required && !field.array}
      isDisabled={disabled === true}
    />
  );
}
