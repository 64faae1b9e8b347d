import { UploadOutlined } from '@ant-design/icons';
import { Alert, Button, Input, Radio } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Where a description is. */
export interface Description {
  way: 'address' | 'text';
  address: string;
  text: string;
}

interface Props {
  given: Description;
  onChange: (given: Description) => void;
  onEnter: () => void;
}

/** Characters that the server takes. */
const LONGEST = 4_000_000;

/** An address, or a text that is pasted or taken from a file. */
export function DescriptionFields({ given, onChange, onEnter }: Props) {
  const { t } = useTranslation('data-source');
  const ways = [
    { value: 'address', label: t('import.address') },
    { value: 'text', label: t('import.text') },
  ];
  return (
    <>
      <p>{t('import.hint')}</p>
      <Radio.Group
        aria-label={t('import.way')}
        options={ways}
        value={given.way}
        onChange={({ target }) => onChange({ ...given, way: target.value })}
      />
      {given.way === 'address' ? (
        <>
          <Input
            aria-label={t('import.address')}
            value={given.address}
            maxLength={1000}
            placeholder="https://api.example.com/openapi.json"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onChange({ ...given, address: target.value })}
            onPressEnter={onEnter}
          />
          <p className="import-quiet">{t('import.addressHint')}</p>
        </>
      ) : (
        <TextField given={given} onChange={onChange} />
      )}
    </>
  );
}

function TextField({ given, onChange }: Omit<Props, 'onEnter'>) {
  const { t } = useTranslation('data-source');
  const file = useRef<HTMLInputElement>(null);
  const [isTooLong, setIsTooLong] = useState(false);
  const take = async (chosen: File | undefined) => {
    if (!chosen) return;
    // Bytes are at least characters, but no more than four times as many.
    const text = chosen.size > LONGEST * 4 ? undefined : await chosen.text();
    const isFit = text !== undefined && text.length <= LONGEST;
    setIsTooLong(!isFit);
    if (isFit) onChange({ ...given, text });
  };
  return (
    <>
      <div>
        <Button icon={<UploadOutlined />} onClick={() => file.current?.click()}>
          {t('import.file')}
        </Button>
        <input
          ref={file}
          type="file"
          // The kit's forms show what is only `hidden`.
          style={{ display: 'none' }}
          accept=".json,.yaml,.yml"
          onChange={({ target }) => {
            take(target.files?.[0]);
            // The same file may be chosen again after a change.
            target.value = '';
          }}
        />
      </div>
      {isTooLong && (
        <Alert type="error" showIcon role="alert" title={t('import.tooLong', { maximum: LONGEST })} />
      )}
      <Input.TextArea
        aria-label={t('import.text')}
        className="connection-document"
        rows={14}
        wrap="off"
        maxLength={LONGEST}
        spellCheck={false}
        value={given.text}
        onChange={({ target }) => onChange({ ...given, text: target.value })}
      />
    </>
  );
}
