import { Form, Modal, Radio } from 'antd';
import { useTranslation } from 'react-i18next';
import type { AlertRecord, MuteRequest } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { toFault } from '@/shared/ui/form-faults';
import { MOMENT, MomentInput } from '@/shared/ui/moment-input';
import { useMute } from './queries';

const HOUR = 3_600_000;
const spans = { hour: HOUR, shift: 8 * HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR } as const;
const spanNames = ['hour', 'shift', 'day', 'week', 'other'] as const;

interface MuteForm {
  scope: MuteRequest['scope'];
  span: (typeof spanNames)[number];
  /** In the viewer's zone, as the field has it. */
  moment?: string;
}

const usual = { scope: 'kind-of-object', span: 'shift' };

/** Mutes an alert and its like until some time. */
export default function MuteDialog({ alert, onClose }: { alert: AlertRecord; onClose: () => void }) {
  const { t } = useTranslation(['alert', 'common']);
  const [form] = Form.useForm<MuteForm>();
  const span: MuteForm['span'] | undefined = Form.useWatch('span', form);
  const mute = useMute();
  const submit = ({ scope, span: chosen, moment }: MuteForm) => {
    const until = chosen === 'other' ? new Date(moment ?? '') : new Date(Date.now() + spans[chosen]);
    mute.mutate(
      { id: alert.id, scope, until: until.toISOString() },
      {
        onSuccess: () => {
          notify('success', t('alert:muted'));
          onClose();
        },
      },
    );
  };
  const names = { kind: alert.kindName, object: alert.objectName };
  return (
    <Modal
      open
      title={t('alert:muteTitle')}
      okText={t('alert:mute')}
      cancelText={t('common:action.cancel')}
      confirmLoading={mute.isPending}
      onOk={form.submit}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <p className="alert-subject">{t('alert:muteHint')}</p>
      <Form
        form={form}
        layout="vertical"
        initialValues={usual}
        onFinish={submit}
        scrollToFirstError={toFault}
      >
        <Form.Item name="scope" label={t('alert:muteScope')}>
          <Radio.Group
            vertical
            options={(['kind-of-object', 'object', 'kind'] as const).map((value) => ({
              value,
              label: t(`alert:muteScopes.${value}`, names),
            }))}
          />
        </Form.Item>
        <Form.Item name="span" label={t('alert:muteSpan')}>
          <Radio.Group
            options={spanNames.map((value) => ({ value, label: t(`alert:muteSpans.${value}`) }))}
          />
        </Form.Item>
        {span === 'other' && (
          <Form.Item
            name="moment"
            label={t('alert:muteUntil')}
            rules={[{ required: true, pattern: MOMENT, message: t('alert:muteUntilFault') }]}
          >
            <MomentInput />
          </Form.Item>
        )}
      </Form>
    </Modal>
  );
}
