import { ImportOutlined } from '@ant-design/icons';
import { Alert, Button, Form, type FormInstance } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentImportRecord, ImportGuessRecord } from '@/shared/api';
import { ImportDialog } from './import-dialog';
import type { ConnectionValues, Kind } from './kind';

interface Props {
  form: FormInstance<ConnectionValues>;
  kind: Kind;
  onChange: (values: ConnectionValues) => void;
}

/** Fills in a connection's document from an OpenAPI description, and shows what the description did not state. */
export default function DocumentImport({ form, kind, onChange }: Props) {
  const { t } = useTranslation('data-source');
  const [isOpen, setIsOpen] = useState(false);
  const [guesses, setGuesses] = useState<readonly ImportGuessRecord[]>([]);
  const option = kind.options.find(({ type }) => type === 'document')?.name ?? '';
  const fill = ({ values, guesses: found }: DocumentImportRecord) => {
    // What the description does not know stays as it was typed.
    form.setFieldsValue(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')));
    onChange(form.getFieldsValue());
    setGuesses(found);
    setIsOpen(false);
  };
  return (
    <Form.Item className="connection-wide">
      <Button icon={<ImportOutlined />} onClick={() => setIsOpen(true)}>
        {t('import.open')}
      </Button>
      {guesses.length > 0 && (
        <Alert
          className="import-guesses"
          type="warning"
          showIcon
          role="status"
          closable={{ onClose: () => setGuesses([]), 'aria-label': t('import.close') }}
          title={t('import.guesses', { count: guesses.length })}
          description={<Guesses guesses={guesses} />}
        />
      )}
      {isOpen && (
        <ImportDialog
          kind={kind.moduletype}
          replaces={String(form.getFieldValue(option) ?? '').trim() !== ''}
          onImport={fill}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Form.Item>
  );
}

function Guesses({ guesses }: { guesses: readonly ImportGuessRecord[] }) {
  const { t } = useTranslation('data-source');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard
    <div className="import-scroll" tabIndex={0}>
      <ul className="import-guess-list">
        {guesses.map(({ table, subject, value }) => (
          <li key={`${table} ${subject}`}>
            {t(`import.guess.${subject}`, { table, value, interpolation: { escapeValue: false } })}
          </li>
        ))}
      </ul>
    </div>
  );
}
