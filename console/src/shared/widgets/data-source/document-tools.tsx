import type { FormInstance } from 'antd';
import type { ConnectionChoice } from '@/shared/api';
import { toFault } from '@/shared/ui/form-faults';
import DocumentPreview from './document-preview';
import type { ConnectionValues, Kind } from './kind';
import { choiceOf } from './queries';

interface Props {
  form: FormInstance<ConnectionValues>;
  kind: Kind;
  values: ConnectionValues;
  stored: Pick<ConnectionChoice, 'nodeMaster' | 'databaseId'> | undefined;
}

/** Preview of a connection's document, inside the connection form. */
export default function DocumentTools({ form, kind, values, stored }: Props) {
  const option = kind.options.find(({ type }) => type === 'document')?.name;
  if (option === undefined) return null;
  const check = () =>
    form.validateFields().then(
      () => true,
      () => {
        const fault = form.getFieldsError().find(({ errors }) => errors.length > 0);
        if (fault) form.scrollToField(fault.name, toFault);
        return false;
      },
    );
  const onLine = (line: number) => {
    // The form's name and the field's are the id of the control.
    const field = document.getElementById(`connection-${kind.moduletype}_${option}`);
    if (field instanceof HTMLTextAreaElement) select(field, line);
  };
  const connection = { ...choiceOf({ kind: kind.moduletype, values }), ...stored };
  return <DocumentPreview connection={connection} check={check} onLine={onLine} />;
}

/** Marks a line of a text and brings it into view. */
function select(field: HTMLTextAreaElement, line: number): void {
  const lines = field.value.split('\n');
  const begin = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  field.focus();
  field.setSelectionRange(begin, begin + (lines[line - 1]?.length ?? 0));
  const height = Number.parseFloat(getComputedStyle(field).lineHeight) || 20;
  field.scrollTop = Math.max(0, (line - 4) * height);
  field.scrollIntoView({ block: 'nearest' });
}
