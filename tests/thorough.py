"""What `python3 -m tests` leaves out and `--thorough` adds, with the reasons. conftest.py reads both tables.

A test stands here if another test finds nearly everything that it finds, or if it is about what seldom changes. Tests
are given by file and name, as pytest prints them, without "tests/" and without the case.
"""

from collections.abc import Iterable

LEFT_OUT: dict[str, dict[str, tuple[str, ...]]] = {
    "Trains or measures for minutes; its parts have tests of their own.": {
        "test_benchmark.py": (
            "test_our_runs_are_solved_and_correct_on_own_inputs",
            "test_a_stopped_peer_reports_its_accuracy",
            "test_wall_time_exceeds_optimizer_seconds",
            "test_estimates_are_compared_with_measured_times",
            "test_the_times_of_ablation_stand_beside_goals_and_ratios",
            "test_results_are_plain_data",
        ),
        "test_estimate.py": ("test_the_memory_of_a_large_run_lies_within_a_factor_of_two_and_a_half",),
        "test_export_code.py": (
            "test_a_preset_repeats_its_history",
            "test_onnx_gives_the_logits_of_the_model_at_any_size",
            "test_a_model_that_differs_from_pytorch_is_not_written",
        ),
        "test_text.py": ("test_the_preset_learns_the_text",),
        "browser/test_pitfalls.py": ("test_a_bug_is_found_by_hand",),
        "browser/test_compare.py": ("test_nothing_is_drawn_again_while_runs_go_on_and_nobody_acts",),
        "test_counterfactual.py": ("test_a_replay_from_a_kept_state_is_the_replay_from_the_start",),
        "test_pitfalls.py": ("test_a_hunted_pitfall_shows_with_the_settings_of_a_hunt",),
        "test_exercises.py": (
            "test_every_value_can_be_filled_in_and_every_question_has_one_right_answer",
            "test_a_wide_model_is_solved_sooner_at_the_smaller_learning_rate",
        ),
        "test_experiment_change.py": ("test_heads_are_ranked_as_the_core_ranks_them",),
    },
    "Ends, restarts or installs servers, nodes and environments.": {
        "load/test_load.py": (
            "test_every_stepping_visitor_gets_every_response",
            "test_a_flood_is_refused_and_a_visitor_gets_every_response",
        ),
        "test_cluster.py": (
            "test_an_invalid_message_ends_the_connection_and_its_workers_only",
            "test_a_stopped_run_frees_its_cpu_for_the_next",
            "test_a_run_can_be_paused_changed_suspended_and_resumed",
            "test_another_server_resumes_from_the_returned_state",
            "test_a_replay_runs_on_the_node_of_the_run_and_is_verified",
            "test_a_killed_node_loses_no_record_and_its_runs_resume_elsewhere",
            "test_runs_wait_without_the_head_and_resume_when_it_is_back",
            "test_a_cluster_with_a_token_trains_for_those_alone_who_have_it",
            "test_a_state_that_cannot_be_written_stays_in_memory",
        ),
        "test_deploy.py": (
            "test_the_images_steps_make_a_space_that_trains_and_saves_and_writes_nothing_into_its_code",
        ),
        "test_house.py": ("test_the_package_without_extras_trains_saves_and_loads_and_says_what_a_push_needs",),
        "test_library_use.py": (
            "test_a_push_can_carry_the_model_for_transformers",
            "test_the_command_line_pushes_pulls_and_reports_errors_in_one_line",
            "test_a_disk_that_fills_up_during_a_download_is_reported",
        ),
        "test_lock.py": (
            "test_a_server_waits_for_one_that_is_shutting_down",
            "test_a_killed_server_releases_its_folder_and_the_next_takes_over",
        ),
        "test_visitors.py": (
            "test_after_the_end_of_the_server_saved_and_running_work_is_there",
            "test_the_server_ends_while_tabs_listen",
        ),
        "browser/test_oauth.py": (
            "test_signing_out_in_one_tab_ends_it_in_all_and_for_saved_cookies",
            "test_signing_in_by_oauth_and_out_again",
        ),
        "browser/test_server.py": ("test_no_process_is_left_after_the_server",),
        "browser/test_unforeseen.py": ("test_an_error_is_a_sentence_with_a_number_and_what_was_typed_stays",),
        "browser/test_shell.py": ("test_a_lost_connection_is_shown_until_it_is_back",),
        "test_library_isolation.py": ("test_a_program_with_xet_on_is_not_delayed",),
    },
    "About how to extend the code, or about names of Streamlit's: changes with them alone.": {
        "test_explain.py": ("test_no_other_settings_have_other_documents",),
        "test_taps.py": ("test_a_tap_is_one_line_and_one_document",),
        "test_tasks.py": ("test_a_task_is_one_file_and_one_row",),
        "browser/test_dom_names.py": ("test_every_name_of_streamlit_s_dom_is_on_a_page",),
        "browser/test_new_page.py": ("test_a_page_is_one_file_and_one_row",),
    },
    "In a browser, what tests without one show of the same code.": {
        "browser/test_cards.py": ("test_the_chosen_checkpoint_is_exported_as_a_file",),
        "browser/test_check_view.py": ("test_an_endless_loop_is_cancelled_while_the_page_answers",),
        "browser/test_compare.py": (
            "test_all_runs_of_a_sweep_are_stopped_at_once",
            "test_the_runs_of_a_sweep_stand_together_below_its_name",
            "test_settings_of_build_start_a_run_beside_the_one_that_goes_on",
            "test_a_sweep_that_is_over_cannot_be_stopped_any_more",
        ),
        "browser/test_controls.py": (
            "test_rewinding_from_a_link_without_and_with_a_change",
            "test_slow_motion_from_a_link_on_a_wide_screen_and_a_phone",
        ),
        "browser/test_experiment_change.py": (
            "test_the_form_for_a_number_stays_open_after_an_error_and_after_a_change",
        ),
        "browser/test_experiment_circuits.py": ("test_another_head_and_other_vectors_stand_in_the_address",),
        "browser/test_face.py": (
            "test_a_part_that_no_model_has_yet_says_what_to_do",
            "test_a_part_of_a_model_with_other_settings_says_so",
        ),
        "browser/test_first_look.py": ("test_an_input_it_cannot_read_gets_a_sentence_and_stays",),
        "browser/test_foreign_text.py": (
            "test_a_checkpoint_with_the_name_of_a_site_is_no_link",
            "test_a_run_that_was_renamed_is_text_for_who_watches",
        ),
        "browser/test_generate.py": ("test_sampling_shows_what_is_cut_off_and_beams_are_a_tree",),
        "browser/test_lessons.py": (
            "test_a_newcomer_gets_from_build_to_the_first_lesson",
            "test_an_operation_of_a_lesson_opens_in_step_through",
        ),
        "browser/test_policy.py": ("test_only_the_sites_that_are_named_may_frame_the_app",),
        "browser/test_presenter.py": (
            "test_slow_motion_in_the_presenter_view_from_a_link",
            "test_a_code_of_the_address_leads_others_to_the_run",
            "test_a_run_is_played_back_by_a_link_in_the_presenter_view",
            "test_everything_works_without_a_network",
        ),
        "browser/test_shell.py": ("test_a_page_without_slides_offers_no_presenter_view",),
        "browser/test_tensor.py": (
            "test_a_number_that_is_not_the_formulas_is_not_explained_by_rounding",
            "test_every_token_of_a_few_low_rows_is_written",
        ),
        "browser/test_time.py": (
            "test_a_click_on_a_moving_chart_opens_its_step_and_the_chart_does_not_flicker",
            "test_who_watches_by_a_link_opens_steps_too",
        ),
        "browser/test_experiment_training.py": ("test_a_run_is_replayed_without_a_batch",),
        "browser/test_pitfalls.py": ("test_both_models_are_trained_and_the_measure_shows_the_mistake",),
    },
    "A further way to do in a browser what another test there does.": {
        "browser/test_cards.py": ("test_a_picture_that_is_refused_for_now_comes_later",),
        "browser/test_charts.py": (
            "test_the_answers_and_the_strip_show_the_predictions_of_that_step",
            "test_attention_of_another_sublayer_and_the_weight_below_the_pointer",
            "test_a_finger_chooses_a_step_that_stays",
            "test_columns_over_evaluations_fill_the_axis_to_the_newest_step",
            "test_an_answer_that_runs_on_ends_in_a_count",
            "test_a_logarithmic_scale_and_smoothing_change_the_picture_and_no_number",
            "test_what_is_below_a_resting_pointer_goes_on_with_the_run",
            "test_a_change_on_the_way_is_marked",
        ),
        "browser/test_compare.py": (
            "test_a_second_tab_shows_the_runs_that_are_begun_in_the_first",
            "test_what_happens_in_another_tab_is_shown_in_the_table",
            "test_quick_clicks_in_the_table_all_count",
        ),
        "browser/test_experiment_change.py": ("test_fast_presses_with_the_keyboard_all_count",),
        "browser/test_face.py": (
            "test_the_picture_on_build_opens_step_through",
            "test_the_arrow_keys_reach_every_part",
            "test_a_tap_on_a_phone_explains_and_leads",
            "test_the_fields_of_a_run_tell_their_meaning_on_a_phone_too",
            "test_presets_are_radio_buttons",
            "test_a_tab_with_an_error_is_marked",
        ),
        "browser/test_generate.py": ("test_play_goes_on_to_the_end_and_a_press_stops_it",),
        "browser/test_hub.py": (
            "test_a_question_that_waits_is_answered_on_the_page_without_a_run_of_its_script",
            "test_the_end_of_a_pull_leads_on_by_one_request_and_the_page_stays",
        ),
        "browser/test_map.py": (
            "test_presses_count_on_from_page_to_page",
            "test_shift_walks_by_sublayers",
            "test_only_the_sublayer_one_is_in_is_unfolded",
            "test_a_group_folds_and_unfolds_by_its_sign",
            "test_the_tree_by_keys",
            "test_backward_the_outline_stands_the_other_way_round",
            "test_crumbs_lead_to_the_first_operation_of_a_part",
            "test_the_last_crumb_lists_its_siblings",
            "test_the_picture_lights_the_residual_path_one_is_in",
            "test_single_letter_shortcuts_can_be_switched_off",
        ),
        "browser/test_presenter.py": (
            "test_leaving_the_presenter_at_once_also_leaves_full_screen",
            "test_every_press_of_the_step_key_is_a_step",
            "test_every_press_counts_where_one_steps_through",
            "test_a_link_presents_any_page_and_a_pointer_that_rests_is_hidden",
            "test_a_lesson_begins_when_it_is_stepped_or_trained_and_survives_being_loaded_again",
        ),
        "browser/test_road.py": ("test_a_heatmap_tells_the_value_under_the_pointer",),
        "browser/test_shell.py": ("test_a_browser_that_refuses_storage_keeps_the_theme_for_the_page",),
        "browser/test_tensor.py": (
            "test_an_example_is_explained_while_nobody_points",
            "test_the_line_of_a_weight_matrix_comes_with_the_cell",
            "test_what_is_locked_stays_through_a_run_of_the_page",
            "test_without_a_clipboard_the_numbers_stand_there_selected",
            "test_the_first_arrow_moves_on_from_the_cell_that_a_link_marks",
            "test_keys_do_nothing_while_one_types",
            "test_escape_ends_computing_slowly",
            "test_the_same_nodes_from_operation_to_operation",
            "test_the_calculation_folds_to_one_line_and_stays_so",
        ),
        "browser/test_time.py": ("test_the_slider_by_keys_and_playing_to_the_end",),
    },
    "Measures layout on one more screen: changes with the style sheets alone.": {
        "browser/test_experiment_heads.py": (
            "test_a_pair_is_in_sight_beside_its_cell",
            "test_the_page_stays_at_its_top_when_one_comes_back_to_a_pair",
            "test_nothing_is_wider_than_a_phone",
        ),
        "browser/test_face.py": (
            "test_a_formula_of_several_lines_is_shown_whole",
            "test_on_build_the_picture_stays_in_sight_while_settings_are_edited",
        ),
        "browser/test_feel.py": ("test_the_train_page_stays_where_it_is_while_its_numbers_move",),
        "browser/test_lessons.py": (
            "test_what_explains_an_answer_stands_beside_it_where_there_is_room",
            "test_a_slide_shows_the_question_beside_what_it_is_about_and_fits",
        ),
        "browser/test_map.py": (
            "test_the_lit_line_is_in_sight_inside_its_box_and_the_page_does_not_scroll",
            "test_the_statement_is_lit_in_the_middle_of_its_function",
        ),
        "browser/test_shell.py": (
            "test_the_bar_on_a_phone_covers_nothing",
            "test_page_down_scrolls_the_page",
            "test_files_that_will_be_needed_are_fetched_after_streamlit_s_script",
        ),
        "browser/test_tensor.py": (
            "test_nothing_jumps_while_one_points",
            "test_a_button_stays_below_the_pointer_that_presses_it",
            "test_on_a_phone_tensors_are_on_the_first_screen_and_one_line_at_its_end",
            "test_on_a_laptop_nothing_covers_a_large_output",
            "test_a_tile_is_as_large_as_what_it_keeps_room_for",
            "test_nothing_jumps_while_the_training_is_played",
            "test_sizes_follow_the_page_above_until_the_first_press",
            "test_on_a_phone_the_tensors_come_before_the_words",
        ),
    },
}

FEWER_CASES: dict[str, int] = {
    "browser/test_axe.py::test_no_page_violates_a_rule_of_axe_core": 5,
    "browser/test_charts.py::test_to_point_at_a_step_in_one_chart_is_to_point_at_it_in_all": 2,
    "browser/test_face.py::test_what_matters_is_on_a_projector_s_first_screen": 1,
    "browser/test_foreign_text.py::test_nothing_is_made_of_a_word_that_leads_elsewhere": 1,
    "browser/test_foreign_text.py::test_nothing_is_made_of_the_words_of_an_address": 3,
    "browser/test_tensor.py::test_a_calculation_whose_digits_differ_from_the_models_says_why": 1,
    "test_ablation.py::test_each_part_in_turn_is_ranked_with_the_most_important_first": 4,
    "test_backward.py::test_a_formula_adds_where_an_input_is_read_by_others_too": 8,
    "test_backward.py::test_no_gradient_rule_where_a_walk_has_no_gradient_and_only_there": 8,
    "test_build_page.py::test_each_preset_fills_the_whole_form": 4,
    "test_cells.py::test_every_expression_is_mathml_and_ends_in_its_value": 6,
    "test_cells.py::test_what_a_cell_did_not_read_does_not_matter_and_what_it_read_does": 2,
    "test_check.py::test_code_that_cannot_be_checked_is_an_error_in_one_sentence": 2,
    "test_check.py::test_right_code_in_any_style_is_right": 8,
    "test_check_confinement.py::test_a_file_cannot_write_its_own_verdict": 2,
    "test_check_confinement.py::test_files_are_read_as_python_reads_them": 3,
    "test_check_confinement.py::test_no_code_takes_more_memory_than_it_has": 2,
    "test_check_confinement.py::test_what_the_check_cannot_interpret_is_not_judged": 2,
    "test_circuits.py::test_ov_over_tokens_is_what_attending_to_a_token_adds_to_the_logits": 8,
    "test_circuits.py::test_qk_over_positions_gives_the_scores_of_a_model_without_tokens": 12,
    "test_circuits.py::test_qk_over_tokens_gives_the_scores_of_a_model_without_positions": 12,
    "test_cli.py::test_every_preset_is_accepted": 4,
    "test_counterfactual.py::test_a_batch_that_is_left_out_moves_nothing_and_all_later_ones_are_the_same": 1,
    "test_counterfactual.py::test_a_difference_changes_nothing_before_its_step_and_something_after": 2,
    "test_decoding.py::test_padding_changes_no_prediction": 8,
    "test_device.py::test_a_forward_and_a_backward_pass_make_every_tensor_on_the_device_of_the_model": 5,
    "test_diagram.py::test_parts_are_the_model_s": 15,
    "test_experiment_read.py::test_a_link_to_a_logit_that_is_not_there_shows_the_usual_one": 6,
    "test_export.py::test_a_figure_of_a_tensor_has_one_cell_for_each_number": 1,
    "test_export.py::test_the_report_needs_no_network_and_runs_nothing": 1,
    "test_gradients.py::test_everything_that_the_loss_depends_on_has_a_gradient_and_nothing_else": 8,
    "test_inspection.py::test_an_untrained_model_can_be_walked_whatever_it_says": 8,
    "test_inspection.py::test_attention_recomputed_from_the_json_agrees": 5,
    "test_inspection.py::test_everything_around_attention_agrees_too": 5,
    "test_inspection.py::test_hidden_cells_are_those_without_weight_and_each_has_its_cause": 8,
    "test_inspection.py::test_the_statement_shown_stands_in_the_file_at_that_line": 5,
    "test_inspection.py::test_the_walk_fits_together": 5,
    "test_interpret_heads.py::test_an_average_is_the_mean_over_passes_with_one_input_each": 2,
    "test_interventions.py::test_a_mean_is_over_all_held_out_inputs_that_have_the_position": 1,
    "test_journal.py::test_a_run_with_irregular_files_stays_listed": 20,
    "test_kv_cache.py::test_logits_equal_those_of_a_full_pass": 7,
    "test_lens.py::test_a_row_is_the_prediction_of_a_model_without_the_layers_behind_it": 3,
    "test_lessons.py::test_every_live_part_shows_something_at_the_ends_of_its_controls": 12,
    "test_lessons_view.py::test_every_lesson_opens_and_shows_all_it_has_once_everything_is_answered": 4,
    "test_model.py::test_a_later_token_changes_the_future_and_not_the_past": 6,
    "test_model.py::test_every_query_of_every_pass_has_a_key_that_it_may_look_at": 1,
    "test_model.py::test_masks_and_positions_are_made_on_the_device_of_the_tokens": 5,
    "test_outline.py::test_every_operation_stands_in_the_outline_once_and_in_order": 15,
    "test_patching.py::test_each_cell_is_a_pass_with_one_entry_from_the_other_input": 5,
    "test_pitfall_walks.py::test_a_cell_is_computed_or_refused_with_a_sentence": 5,
    "test_pitfall_walks.py::test_every_operation_can_be_shown": 5,
    "test_pitfall_walks.py::test_the_code_of_a_hunt_is_hidden": 5,
    "test_programs.py::test_the_weights_of_a_head_are_replaced_by_those_of_its_program_and_no_other": 3,
    "test_recording.py::test_attention_can_be_recomputed_from_what_it_says_it_was_computed_from": 8,
    "test_recording.py::test_every_operation_names_the_statement_that_ran": 3,
    "test_recording.py::test_gradients_agree_with_finite_differences": 3,
    "test_recording.py::test_what_a_change_reaches_is_what_the_inputs_say": 2,
    "test_roles.py::test_the_positions_of_a_role_are_those_of_its_definition": 20,
    "test_stages.py::test_a_step_in_slow_motion_is_the_same_step_and_shows_its_very_tensors": 3,
    "test_taps.py::test_every_model_records_the_promised_taps_in_the_promised_shapes": 10,
    "test_task_pages.py::test_experiment_and_checkpoints_show_a_model_of_the_task": 3,
    "test_task_pages.py::test_step_through_takes_an_input_of_the_task": 3,
    "test_tasks.py::test_answers_of_a_padded_batch_are_those_of_its_rows": 4,
    "test_time.py::test_a_missing_step_in_a_link_opens_the_nearest_with_a_message": 1,
}
"""Tests with many cases of one kind, and how many stay: the first, the last, and some evenly spaced between them."""


def few(names: Iterable[str]) -> set[str]:
    """Those of these tests, named as pytest does, that run without --thorough."""
    left_out = {f"{file}::{test}" for files in LEFT_OUT.values() for file, tests in files.items() for test in tests}
    cases: dict[str, list[str]] = {}
    for name in names:
        cases.setdefault(name.partition("[")[0].removeprefix("tests/"), []).append(name)
    found: set[str] = set()
    for test, each in cases.items():
        stay = 0 if test in left_out else min(len(each), FEWER_CASES.get(test, len(each)))
        found |= {each[at * (len(each) - 1) // max(1, stay - 1)] for at in range(stay)}
    return found
