import { Form, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useMay } from '@/shared/hooks/use-may';
import { BackupFields } from './backup-fields';
import { CleaningFields } from './cleaning-fields';
import { DistributionFields } from './distribution-fields';
import { LinkFields } from './link-fields';
import { isOfLink, type JobForm, jobTypes } from './plan-form';
import { SqlFields } from './sql-fields';

/** Pixels in which all types of jobs are in sight. */
const ALL_JOBS = 430;

/** What a plan does, and to what. */
export function JobFields() {
  const { t } = useTranslation('task-plan');
  const mayDistribute = useMay('policy/distribute')('operate');
  const mayRunSql = useMay('resource/sqlManagement')('operate');
  const needed: Partial<Record<JobForm['type'], boolean>> = {
    sql: mayRunSql,
    export: mayRunSql,
    backup: useMay('system/bus-sys-parameter')('edit'),
    distribute: mayDistribute,
  };
  const type: JobForm['type'] | undefined = Form.useWatch(['job', 'type']);
  const offered = jobTypes.filter((value) => (needed[value] ?? true) || value === type);
  return (
    <>
      <Form.Item
        name={['job', 'type']}
        label={t('jobOf')}
        rules={[{ required: true, message: t('jobFault') }]}
      >
        <Select
          listHeight={ALL_JOBS}
          options={offered.map((value) => ({ value, label: t(`job.${value}`) }))}
        />
      </Form.Item>
      {(type === undefined || isOfLink(type)) && <LinkFields type={type} />}
      {type === 'clean' && <CleaningFields />}
      {type === 'sql' && <SqlFields />}
      {type === 'export' && <SqlFields exported />}
      {type === 'backup' && <BackupFields />}
      {type === 'distribute' && <DistributionFields />}
    </>
  );
}
