import { Form, Select, Switch } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { zoneNames } from '@/shared/lib/zones';
import { CLOCK, MomentInput } from '@/shared/ui/moment-input';
import type { ReceiverForm } from './receiver-form';

/** When notices are held back, in which zone, and whether important ones are as well. */
export function QuietFields() {
  const { t } = useTranslation('notification');
  const hasQuiet: boolean | undefined = Form.useWatch(['quiet', 'isOn']);
  const zones = useMemo(() => zoneNames().map((value) => ({ value, label: value })), []);
  const need = (message: string) => ({ required: true, message });
  const clock = { ...need(t('quietFault')), pattern: CLOCK };
  return (
    <>
      <Form.Item name={['quiet', 'isOn']} label={t('quiet')} extra={t('quietHint')} valuePropName="checked">
        <Switch />
      </Form.Item>
      {hasQuiet && (
        <>
          <Form.Item name={['quiet', 'begin']} label={t('quietFrom')} rules={[clock]}>
            <MomentInput precision="clock" />
          </Form.Item>
          <Form.Item
            name={['quiet', 'end']}
            label={t('quietTo')}
            dependencies={[['quiet', 'begin']]}
            rules={[
              clock,
              ({ getFieldValue }) => ({
                validator: (_, value) =>
                  value && value === (getFieldValue(['quiet', 'begin']) as ReceiverForm['quiet']['begin'])
                    ? Promise.reject(new Error(t('quietSame')))
                    : Promise.resolve(),
              }),
            ]}
          >
            <MomentInput precision="clock" />
          </Form.Item>
          <Form.Item name={['quiet', 'timeZone']} label={t('timeZone')} rules={[need(t('timeZoneFault'))]}>
            <Select showSearch={{ optionFilterProp: 'label' }} options={zones} />
          </Form.Item>
          <Form.Item name={['quiet', 'importantPasses']} label={t('importantPasses')} valuePropName="checked">
            <Switch />
          </Form.Item>
        </>
      )}
    </>
  );
}
