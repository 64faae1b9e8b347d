import { Alert, Form, InputNumber } from 'antd';
import { useTranslation } from 'react-i18next';
import {
  audited,
  call,
  type IssuedToken,
  type Rotation,
  type ServiceAccountRecord,
  serviceAccountRotate,
} from '@/shared/api';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { WaitingDrawer } from '@/shared/ui/waiting-drawer';
import { useRefresh } from './queries';
import { useTokenTerms } from './service-account-queries';

interface Props {
  account: ServiceAccountRecord;
  onToken: (token: IssuedToken) => void;
  onClose: () => void;
}

const USUAL_GRACE = 24;

/** A new token of an account; says until when the present one stays good. */
export default function RotationDrawer({ account, onToken, onClose }: Props) {
  const { t } = useTranslation('authority');
  const refresh = useRefresh();
  const terms = useTokenTerms();
  if (!terms.data)
    return <WaitingDrawer title={t('serviceAccount.rotate')} queries={[terms]} onClose={onClose} />;
  const { longestDays, longestGraceHours } = terms.data;
  const rotate = async (values: Rotation) => {
    onToken(
      await call(serviceAccountRotate({ body: { ...values, id: account.id }, ...audited(account, values) })),
    );
    await refresh();
  };
  return (
    <FormDrawer<Rotation>
      asked="modify"
      title={t('serviceAccount.rotateTitle', { name: account.name })}
      open
      saveLabel={t('serviceAccount.rotate')}
      initialValues={{ days: longestDays, graceHours: USUAL_GRACE }}
      onSubmit={rotate}
      onClose={onClose}
    >
      <Alert
        className="drawer-hint"
        type="info"
        showIcon
        title={t(account.previousUntil ? 'serviceAccount.rotateAgainHint' : 'serviceAccount.rotateHint')}
      />
      <Form.Item
        name="graceHours"
        label={t('serviceAccount.graceHours')}
        extra={t('serviceAccount.graceHoursHint', { longest: longestGraceHours })}
        rules={[{ required: true, message: t('serviceAccount.graceHoursFault') }]}
      >
        <InputNumber controls={false} min={0} max={longestGraceHours} precision={0} />
      </Form.Item>
      <Form.Item
        name="days"
        label={t('serviceAccount.days')}
        extra={t('serviceAccount.daysHint', { longest: longestDays })}
        rules={[{ required: true, message: t('serviceAccount.daysFault') }]}
      >
        <InputNumber controls={false} min={1} max={longestDays} precision={0} />
      </Form.Item>
    </FormDrawer>
  );
}
