import { Alert, Checkbox, Form, Input, Progress, Select } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type DriverRules, driverAdd, driverBegin } from '@/shared/api';
import { bytes } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { CopyButton } from '@/shared/ui/copy-button';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { sendFile } from '@/shared/widgets/upload/send';
import { base64Of, checksumOf, PACKAGE, useKindText, useRefresh } from './queries';
import { TargetFields, type TargetValues } from './target-fields';
import './drivers.css';

interface Props {
  rules: DriverRules;
  onClose: () => void;
}

interface Values extends TargetValues {
  file?: Chosen;
  name: string;
  kind: string;
  version: string;
  signature?: string;
  confirmed?: boolean;
}

interface Chosen {
  file: File;
  sha256: string;
}

/** What the server takes as a file name of a driver, or of a package of agents. */
const NAME = /^([A-Za-z0-9_+-][A-Za-z0-9_.+-]{0,123}\.jar|zcbus-[A-Za-z0-9_.+!]{1,50}-py3-none-any\.whl)$/;

/** Uploads a jar file and makes it a driver. Closing it ends the upload. */
export default function AddDrawer({ rules, onClose }: Props) {
  const { t } = useTranslation('drivers');
  const refresh = useRefresh();
  const kindText = useKindText();
  const [received, setReceived] = useState<number>();
  const under = useRef(new AbortController());
  /** The file that arrived already: another attempt after a fault does not send it again. */
  const arrived = useRef<{ sha256: string; id: string }>(undefined);
  useEffect(() => () => under.current.abort(), []);

  const upload = async ({ file, sha256 }: Chosen) => {
    if (arrived.current?.sha256 === sha256) return arrived.current.id;
    const { signal } = under.current;
    const body = { name: file.name, size: file.size, sha256 };
    const begun = await call(driverBegin({ body, signal }));
    await sendFile(file, begun, { onProgress: setReceived, signal });
    arrived.current = { sha256, id: begun.id };
    return begun.id;
  };
  const save = async ({
    file,
    name,
    kind,
    version,
    signature = '',
    everywhere,
    containerIds = [],
  }: Values) => {
    if (!file) return false;
    try {
      const uploadId = await upload(file);
      const targets = { everywhere, containerIds: everywhere ? [] : containerIds };
      const body = { uploadId, name, kind, version, signature, sha256: file.sha256, ...targets };
      await call(driverAdd({ body }));
    } finally {
      setReceived(undefined);
    }
    notify('success', t('added', { name }));
    await refresh();
    return true;
  };
  return (
    <FormDrawer<Values>
      open
      title={t('add')}
      saveLabel={t('addAction')}
      initialValues={{ everywhere: true, kind: rules.kinds[0]?.kind }}
      onSubmit={save}
      onClose={onClose}
    >
      <Alert type="warning" showIcon title={t('codeNote')} className="drivers-note" />
      <FileField rules={rules} />
      <Form.Item
        name="name"
        label={t('fileName')}
        extra={t('fileNameHint')}
        rules={[{ required: true, pattern: NAME, message: t('fileNameFault') }]}
      >
        <Input {...upTo(128)} autoComplete="off" spellCheck={false} />
      </Form.Item>
      <Form.Item name="kind" label={t('kind')} rules={[{ required: true, message: t('kindFault') }]}>
        <Select
          options={rules.kinds.map((one) => ({ value: one.kind, label: kindText(one.kind, one.label) }))}
        />
      </Form.Item>
      <Form.Item
        name="version"
        label={t('version')}
        rules={[{ required: true, whitespace: true, message: t('versionFault') }]}
      >
        <Input {...upTo(50)} autoComplete="off" spellCheck={false} />
      </Form.Item>
      {rules.signed ? <SignatureField keys={rules.keys} /> : <ConfirmField />}
      <TargetFields />
      {received !== undefined && <Sending received={received} />}
    </FormDrawer>
  );
}

function Sending({ received }: { received: number }) {
  const { t } = useTranslation('drivers');
  const size = (Form.useWatch('file') as Chosen | undefined)?.file.size ?? received;
  return (
    <Progress
      percent={Math.floor((100 * received) / Math.max(size, 1))}
      aria-label={t('progress')}
      format={() => `${bytes(received)} / ${bytes(size)}`}
    />
  );
}

function FileField({ rules }: Pick<Props, 'rules'>) {
  const { t } = useTranslation('drivers');
  return (
    <Form.Item
      name="file"
      label={t('file')}
      extra={t('fileHint', { most: bytes(rules.most) })}
      rules={[
        { required: true, message: t('fileFault') },
        {
          validator: (_, chosen?: Chosen) =>
            chosen && chosen.file.size > rules.most
              ? Promise.reject(new Error(t('tooLarge', { most: bytes(rules.most) })))
              : Promise.resolve(),
        },
      ]}
    >
      <FileInput />
    </Form.Item>
  );
}

/** The form item hands `id` and `onChange`. */
function FileInput({ id, onChange }: { id?: string; onChange?: (chosen: Chosen | undefined) => void }) {
  const form = Form.useFormInstance<Values>();
  const choose = async (file: File | undefined) => {
    onChange?.(undefined);
    form.setFieldValue('confirmed', false);
    if (!file) return;
    const sha256 = await checksumOf(file);
    onChange?.({ file, sha256 });
    if (!form.isFieldTouched('name')) form.setFieldValue('name', file.name);
    const packaged = /^zcbus-(.+)-py3-none-any\.whl$/.exec(file.name)?.[1];
    if (packaged) form.setFieldValue('kind', PACKAGE);
    const version = packaged ?? /(\d+(?:\.\d+)+)/.exec(file.name)?.[1];
    if (version && !form.isFieldTouched('version')) form.setFieldValue('version', version);
  };
  return (
    <input id={id} type="file" accept=".jar,.whl" onChange={({ target }) => void choose(target.files?.[0])} />
  );
}

/** Without configured keys it is the user who vouches for the file. */
function ConfirmField() {
  const { t } = useTranslation('drivers');
  const chosen = Form.useWatch('file') as Chosen | undefined;
  return (
    <>
      <Form.Item label="SHA-256">
        {chosen ? (
          <span className="drivers-checksum">
            <code>{chosen.sha256}</code>
            <CopyButton text={chosen.sha256} label={t('copyChecksum')} />
          </span>
        ) : (
          <span>{t('checksumNone')}</span>
        )}
      </Form.Item>
      <Form.Item
        name="confirmed"
        valuePropName="checked"
        rules={[
          {
            validator: (_, value: boolean) =>
              value ? Promise.resolve() : Promise.reject(new Error(t('confirmFault'))),
          },
        ]}
      >
        <Checkbox disabled={!chosen}>{t('confirm')}</Checkbox>
      </Form.Item>
    </>
  );
}

function SignatureField({ keys }: { keys: string[] }) {
  const { t } = useTranslation('drivers');
  return (
    <Form.Item
      name="signature"
      label={t('signature')}
      extra={t('signatureHint', { keys: keys.join(', ') || '–' })}
      rules={[{ required: true, message: t('signatureFault') }]}
    >
      <SignatureInput />
    </Form.Item>
  );
}

function SignatureInput({ id, onChange }: { id?: string; onChange?: (value: string | undefined) => void }) {
  const choose = async (file: File | undefined) => onChange?.(file && (await base64Of(file)));
  return <input id={id} type="file" onChange={({ target }) => void choose(target.files?.[0])} />;
}
