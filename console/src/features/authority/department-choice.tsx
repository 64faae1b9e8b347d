import { TreeSelect } from 'antd';
import { useTranslation } from 'react-i18next';
import { departmentOptions } from './queries';

interface Props {
  departments: Parameters<typeof departmentOptions>[0];
  /** Id of the department that the list is narrowed to; empty: any. */
  value: string;
  onChange: (deptId: string) => void;
}

/** Narrows a list to a department and those beneath it. */
export default function DepartmentChoice({ departments, value, onChange }: Props) {
  const { t } = useTranslation('authority');
  return (
    <TreeSelect
      aria-label={t('user.department')}
      className="list-choice"
      placeholder={t('user.anyDepartment')}
      value={value || undefined}
      allowClear
      treeDefaultExpandAll
      treeData={departmentOptions(departments)}
      onChange={(deptId?: string) => onChange(deptId ?? '')}
    />
  );
}
