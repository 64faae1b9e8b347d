import { Form, Input, InputNumber, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { ReceiverRecord } from '@/shared/api';
import { upTo } from '@/shared/ui/up-to';
import { type ReceiverForm, signed } from './receiver-form';

interface Props {
  edit: ReceiverRecord | undefined;
}

/** Where the chosen way leads, and with which secrets. */
export function WayFields({ edit }: Props) {
  const { t } = useTranslation('notification');
  const way: ReceiverForm['way'] | undefined = Form.useWatch('way');
  if (way === undefined) return null;
  if (way === 'mail') return <MailFields edit={edit} />;
  const isSecretNeeded = !edit && (way === 'webhook' || way === 'pagerduty');
  return (
    <>
      {way === 'pagerduty' ? (
        <Form.Item
          name="eventsUrl"
          label={t('eventsUrl')}
          rules={[{ required: true, message: t('urlFault') }]}
        >
          <Input {...upTo(1000)} />
        </Form.Item>
      ) : (
        <Form.Item
          name="url"
          label={t('url')}
          extra={edit ? t('urlKept', { host: edit.target }) : t(`urlHints.${way}`)}
          rules={[{ required: !edit, message: t('urlFault') }]}
        >
          <Input {...upTo(1000)} autoComplete="off" spellCheck={false} />
        </Form.Item>
      )}
      {signed.includes(way) && (
        <Form.Item
          name="secret"
          label={t(way === 'pagerduty' ? 'routingKey' : 'secret')}
          extra={edit?.hasSecret ? t('secretKept') : t(`secretHints.${way as 'webhook'}`)}
          rules={[{ required: isSecretNeeded, message: t('secretFault') }]}
        >
          <Input.Password {...upTo(500)} autoComplete="new-password" />
        </Form.Item>
      )}
    </>
  );
}

const ports = { tls: 465, starttls: 587, none: 25 } as const;

function MailFields({ edit }: Props) {
  const { t } = useTranslation('notification');
  const form = Form.useFormInstance<ReceiverForm>();
  const security: keyof typeof ports | undefined = Form.useWatch(['mail', 'security']);
  const need = (message: string) => [{ required: true, message }];
  return (
    <>
      <Form.Item name={['mail', 'recipients']} label={t('recipients')} rules={need(t('recipientsFault'))}>
        <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', ';', ' ']} maxCount={20} />
      </Form.Item>
      <Form.Item name={['mail', 'host']} label={t('host')} rules={need(t('hostFault'))}>
        <Input {...upTo(255)} />
      </Form.Item>
      <Form.Item name={['mail', 'security']} label={t('security')}>
        <Select
          onChange={(chosen: keyof typeof ports) => form.setFieldValue(['mail', 'port'], ports[chosen])}
          options={(['starttls', 'tls', 'none'] as const).map((value) => ({
            value,
            label: t(`securities.${value}`),
          }))}
        />
      </Form.Item>
      <Form.Item name={['mail', 'port']} label={t('port')} rules={need(t('portFault'))}>
        <InputNumber min={1} max={65_535} precision={0} />
      </Form.Item>
      <Form.Item name={['mail', 'sender']} label={t('sender')} rules={need(t('senderFault'))}>
        <Input {...upTo(254)} autoComplete="off" />
      </Form.Item>
      {security !== 'none' && (
        <>
          <Form.Item name={['mail', 'user']} label={t('user')} extra={t('userHint')}>
            <Input {...upTo(255)} autoComplete="off" />
          </Form.Item>
          <Form.Item name="password" label={t('password')} extra={edit?.hasPassword && t('passwordKept')}>
            <Input.Password {...upTo(500)} autoComplete="new-password" />
          </Form.Item>
        </>
      )}
    </>
  );
}
