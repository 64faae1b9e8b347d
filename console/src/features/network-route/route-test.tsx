import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons';
import { Alert, Button, Form, Input, InputNumber, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, networkRouteTest, type RouteRecord, type RouteTestRecord } from '@/shared/api';
import { ApiError } from '@/shared/api/errors';
import { failureText } from '@/shared/api/notices';
import { useMay } from '@/shared/hooks/use-may';
import { showFaults } from '@/shared/ui/form-faults';
import { upTo } from '@/shared/ui/up-to';
import { useContainers } from '@/shared/widgets/selectors/queries';
import { NETWORK } from './queries';
import { type RouteForm, testOf } from './route-form';

interface Props {
  edit: RouteRecord | undefined;
}

/** Tries what the form has, and shows the host key that a person is to confirm. */
export function RouteTest({ edit }: Props) {
  const { t } = useTranslation('network-route');
  const form = Form.useFormInstance<RouteForm>();
  const containers = useContainers();
  const [isRunning, setRunning] = useState(false);
  const [found, setFound] = useState<RouteTestRecord>();
  const [failure, setFailure] = useState<string>();
  const test = async () => {
    setRunning(true);
    setFound(undefined);
    setFailure(undefined);
    try {
      setFound(await call(networkRouteTest({ body: testOf(form.getFieldsValue(true), edit?.id ?? '') })));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (Object.keys(error.fields).length > 0) showFaults(form, error);
      else setFailure(failureText(error, 'status'));
    } finally {
      setRunning(false);
    }
  };
  if (!useMay(NETWORK)('edit')) return null;
  return (
    <section className="network-route-test" aria-label={t('testTitle')}>
      <h2>{t('testTitle')}</h2>
      <p>{t('testHint')}</p>
      <Form.Item
        name="containerId"
        label={t('container')}
        extra={containers.error?.message ?? t('containerHint')}
      >
        <Select
          allowClear
          loading={containers.isPending}
          showSearch={{ optionFilterProp: 'label' }}
          options={containers.data?.records.map(({ id, displayName, containerName }) => ({
            value: id,
            label: displayName || containerName,
          }))}
        />
      </Form.Item>
      <Form.Item name="targetHost" label={t('targetHost')} extra={t('targetHint')}>
        <Input {...upTo(255)} autoComplete="off" spellCheck={false} />
      </Form.Item>
      <Form.Item name="targetPort" label={t('targetPort')}>
        <InputNumber min={1} max={65_535} precision={0} controls={false} />
      </Form.Item>
      <Button onClick={test} loading={isRunning}>
        {t('test')}
      </Button>
      <div aria-live="polite">
        {failure && <Alert type="error" showIcon title={failure} className="network-route-note" />}
        {found && <Checks found={found} />}
        {found?.shownKey && <HostKey shown={found.shownKey} />}
      </div>
    </section>
  );
}

function Checks({ found }: { found: RouteTestRecord }) {
  const { t } = useTranslation('network-route');
  return (
    <ul className="network-route-checks">
      {found.checks.map(({ item, label, ok, detail }) => (
        <li key={item} data-ok={ok}>
          {ok ? <CheckCircleFilled aria-hidden /> : <CloseCircleFilled aria-hidden />}
          <b>{label}</b>
          <span className="visually-hidden">{t(ok ? 'passed' : 'failed')}</span>
          <span>{detail}</span>
        </li>
      ))}
    </ul>
  );
}

/** The key that the bastion presents, while it is not the trusted one. */
function HostKey({ shown }: { shown: string }) {
  const { t } = useTranslation('network-route');
  const form = Form.useFormInstance<RouteForm>();
  const trusted: string | undefined = Form.useWatch('hostKey');
  const [isConfirmed, setConfirmed] = useState(false);
  if (trusted === shown) {
    return isConfirmed ? <Alert type="success" showIcon title={t('trusted')} /> : null;
  }
  const confirm = () => {
    form.setFieldValue('hostKey', shown);
    setConfirmed(true);
  };
  return (
    <Alert
      type="warning"
      showIcon
      className="network-route-note"
      title={
        <>
          {t('shownKey')} <code>{shown}</code>
        </>
      }
      description={t('shownKeyHint')}
      action={
        <Button size="small" onClick={confirm}>
          {t('trust')}
        </Button>
      }
    />
  );
}
